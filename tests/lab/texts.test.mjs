// The page's words: every language has all of them, with the same places for values.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { PHRASES, phrase } from '../../crates/draw/player/phrases.js';

const PAGE = new URL('../../crates/lab/page/', import.meta.url);
const LANGUAGES = ['en', 'de', 'fr', 'ro'];
const tables = Object.fromEntries(
  LANGUAGES.map((language) => [language, JSON.parse(readFileSync(new URL(`texts/${language}.json`, PAGE), 'utf8'))]),
);
const places = (text) => [...text.matchAll(/\{([\w-]+)\}/g)].map(([, name]) => name).sort();

/** Whether a text is for a count that English does not know. */
const isFew = (key) => /^player\..*\.few$/.test(key);

test('no language lacks a text, and none has one of its own', () => {
  for (const language of LANGUAGES.slice(1)) {
    const wanted = [...Object.keys(tables.en), ...PHRASES.map((key) => `player.${key}`)].sort();
    // Romanian counts few and many apart.
    const own = Object.keys(tables[language]).filter((key) => !isFew(key));
    assert.deepEqual(own.sort(), wanted, language);
  }
});

test('all texts have places for the same values', () => {
  for (const language of LANGUAGES.slice(1))
    for (const [key, text] of Object.entries(tables[language])) {
      assert.ok(text.trim() !== '', `${language}: ${key}`);
      if (isFew(key)) continue;
      const english = key.startsWith('player.') ? told(key.slice('player.'.length)) : tables.en[key];
      assert.deepEqual(places(text), places(english), `${language}: ${key}`);
    }
});

/** A phrase of the player with its places left as they are. */
function told(key) {
  return phrase(key, new Proxy({}, { get: (_, name) => `{${String(name)}}` }));
}

test('every text that the page asks for is there', () => {
  const modules = readdirSync(PAGE).filter((name) => name.endsWith('.js'));
  const asked = modules.flatMap((name) => {
    const module = readFileSync(new URL(name, PAGE), 'utf8');
    return [...module.matchAll(/\bt\((?:[^()'`]*\? )?'([\w.-]+)'(?: : '([\w.-]+)')?/g)].flatMap(([, one, other]) => [
      one,
      other,
    ]);
  });
  const keys = asked.filter(Boolean);
  assert.ok(keys.length > 120);
  assert.deepEqual(
    keys.filter((key) => !(key in tables.en)),
    [],
  );
});
