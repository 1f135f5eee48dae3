// The page's words, one table for each language.

import { speak } from './player/phrases.js';

/** The languages, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', ro: 'Română' };

let table = {};
let tag = 'en';

/** The language that is spoken. */
export function language() {
  return tag;
}

/** The language that the page was left in, or the browser's, or English. */
export function usualLanguage() {
  const wanted = [remembered(), ...navigator.languages.map((language) => language.slice(0, 2))];
  return wanted.find((language) => language in LANGUAGES) ?? 'en';
}

/** Speaks a language from now on. */
export async function speakIn(language) {
  table = await read(language);
  tag = language;
  document.documentElement.lang = language;
  const own = Object.entries(table).filter(([key]) => key.startsWith('player.'));
  speak(Object.fromEntries(own.map(([key, text]) => [key.slice('player.'.length), text])), language);
  remember(language);
}

/** A text with these values in it. */
export function t(key, values = {}) {
  return (table[key] ?? key).replace(/\{([\w-]+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** A number as it is written in this language. */
export function n(number, digits = 2) {
  return number.toLocaleString(tag === 'en' ? 'en-US' : tag, { maximumFractionDigits: digits });
}

/** The table of a language: from the page, if it has it in itself, or else from beside it. */
async function read(language) {
  const inside = document.getElementById(`texts-${language}`);
  if (inside) return JSON.parse(inside.textContent);
  const response = await fetch(`texts/${language}.json`);
  return response.json();
}

const PLACE = 'bellwether-language';

function remembered() {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
}

function remember(language) {
  try {
    localStorage.setItem(PLACE, language);
  } catch {
    // A page opened from disk may have no storage. Then the next visit begins in the browser's language.
  }
}
