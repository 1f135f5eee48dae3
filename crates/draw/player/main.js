// Plays the run that is in this page.

import { mount } from './player.js';

const place = document.getElementById('player');
try {
  mount(place, JSON.parse(document.getElementById('reel').textContent));
} catch (error) {
  const told = Object.assign(document.createElement('p'), {
    className: 'failure',
    textContent: `This run cannot be shown: ${error.message}.`,
  });
  told.setAttribute('role', 'alert');
  place.replaceChildren(told);
  console.error(error);
}
