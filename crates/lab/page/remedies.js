// Refusals name the options of the command line. Here each of them is told by the name that it has on the page.

import { t } from './texts.js';

/** What a refusal says, and the text that says the same here. */
const REMEDIES = {
  '--force runs it all the same': 'remedy.force',
  '; --largest-component takes its largest part': 'remedy.connect',
  'leave --ids out': 'remedy.no-ids',
};

/** What has no meaning on the page. */
const MEANINGLESS = ["; 'bellwether list' shows all", " 'bellwether list' shows all", ', file:PATH', '--set: '];

/** Options that have a field, and the label of it. */
const FIELDS = {
  '--ids': 'setup.ids',
  '--initiators': 'setup.initiators',
  '--fault': 'setup.faults',
  '--timing': 'setup.timing',
  '--seed': 'setup.seed',
  '--topology': 'setup.network',
};

/** A refusal in the words of the page. */
export function onPage(refusal) {
  const told = Object.entries(REMEDIES).reduce(
    (text, [remedy, key]) => text.replaceAll(remedy, t(key, { box: t('setup.force') })),
    refusal,
  );
  const plain = MEANINGLESS.reduce((text, part) => text.replaceAll(part, ''), told);
  return plain.replaceAll(/--[a-z]+/g, (option) => (option in FIELDS ? t(FIELDS[option]) : option));
}
