// Lessons that step along and end in a question, and exercises with an answer to check.

import { ask } from './carrier.js';
import { button, field, h, menu, prose, put } from './dom.js';
import { language, n, t } from './texts.js';

/** The panel of lessons and exercises. */
export class Lessons {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    this.lesson = null;
    this.step = 0;
    this.exercise = null;
    this.seed = 1;
    this.student = 1;
  }

  /** Shows what there is; asks for the lessons when the panel is opened first, and in another language. */
  async update() {
    if (this.root.hidden) return;
    if (this.spoken !== language()) {
      this.spoken = language();
      put(this.root, h('p', { role: 'status' }, t('lessons.loading')));
      const answer = await ask({ ask: 'lessons', language: language() }).catch((error) => ({ error }));
      this.lessons = answer.lessons ?? [];
      this.problem = answer.error?.message;
      this.lesson = this.lessons.find(({ name }) => name === this.lesson?.name) ?? null;
      if (this.exercise) return this.#ask(this.exercise.template);
    }
    this.#render();
  }

  #render() {
    if (this.lesson) return this.#renderLesson();
    if (this.exercise) return this.#renderExercise();
    const items = (this.lessons ?? []).map((lesson, index) =>
      h(
        'li',
        {},
        button(`${index + 1}. ${lesson.title}`, () => this.#begin(lesson), { 'data-lesson': lesson.name }),
      ),
    );
    const number = (value, least, change, label) =>
      h('input', {
        type: 'number',
        min: least,
        value,
        'aria-label': label,
        on: {
          change: ({ target }) => {
            target.value = Math.max(Math.floor(Number(target.value)) || least, least);
            change(Number(target.value));
          },
        },
      });
    put(
      this.root,
      h('p', {}, t('lessons.about')),
      this.problem ? h('p', { class: 'refusal' }, this.problem) : '',
      items.length > 0 ? h('ul', { class: 'lessons' }, items) : h('p', { class: 'faint' }, t('lessons.none')),
      h('h2', {}, t('exercise.title')),
      h('p', { class: 'faint' }, t('exercise.about')),
      h(
        'div',
        { class: 'pair' },
        field(
          t('exercise.seed'),
          number(this.seed, 0, (value) => (this.seed = value), t('exercise.seed')),
        ),
        field(
          t('exercise.student'),
          number(this.student, 1, (value) => (this.student = value), t('exercise.student')),
        ),
      ),
      button(t('exercise.begin'), () => this.#ask(), { class: 'strong', 'data-exercise': 'begin' }),
    );
  }

  async #begin(lesson) {
    this.lesson = lesson;
    this.said = null;
    await this.#go(0);
  }

  /** Shows a step: its text, its election and the place in it. */
  async #go(step) {
    this.step = step;
    const { steps, election: whole } = this.lesson;
    const { election = whole, position = 0, node, message } = steps[step] ?? { position: 0 };
    const { bench } = this.lab;
    const key = JSON.stringify(election);
    const state = { done: position, node: node ?? -1 };
    if (this.held !== key || bench.current !== 0 || bench.branches.length !== 1) {
      const answer = await bench.begin({ ask: 'run', election }, this.lesson.title, state);
      if (answer?.reel) this.held = key;
    } else this.lab.player.go(state);
    if (message) this.#point(message);
    this.#render();
  }

  /** Chooses a message, by its sender and its number. */
  #point({ from, number }) {
    const { scene } = this.lab.player;
    const { reel, flights } = scene;
    for (let flight = 0; flight < flights.count; flight++) {
      const message = flights.message[flight];
      if (reel.from[message] === from && reel.numberOf(message) === number) return this.lab.player.go({ flight });
    }
  }

  #renderLesson() {
    const { lesson, step } = this;
    const { steps, question } = lesson;
    const isQuestion = step >= steps.length;
    const where = t('lessons.step', { step: n(step + 1), all: n(steps.length + 1) });
    const body = isQuestion ? this.#question(question) : prose(steps[step].text);
    put(
      this.root,
      h(
        'div',
        { class: 'row' },
        h('h2', {}, lesson.title),
        button(t('lessons.all'), () => this.#leave(), { class: 'end' }),
      ),
      h('p', { class: 'faint' }, where),
      h('div', { class: 'lesson', 'aria-live': 'polite' }, body),
      h(
        'div',
        { class: 'row' },
        button(t('lessons.back'), () => this.#go(step - 1), { disabled: step === 0 }),
        isQuestion
          ? this.#nextLesson()
          : button(t('lessons.next'), () => this.#go(step + 1), { class: 'strong', 'data-lesson-next': '' }),
      ),
    );
  }

  /** Offers the lesson after this one, if there is one. */
  #nextLesson() {
    const next = this.lessons[this.lessons.indexOf(this.lesson) + 1];
    return next && button(t('lessons.next-lesson', next), () => this.#begin(next), { 'data-lesson-after': '' });
  }

  #leave() {
    this.lesson = null;
    this.exercise = null;
    this.said = null;
    this.lab.showAgain();
    this.#render();
  }

  #question({ text, kind, parts: free = [] }) {
    const judge = (attempt) =>
      this.#judge({ ask: 'attempt', lesson: this.lesson.name, language: language(), ...attempt });
    const answer = h('input', {
      'aria-label': t('lessons.answer'),
      on: { keydown: (event) => event.key === 'Enter' && judge({ answer: answer.value }) },
    });
    const parts =
      kind === 'try'
        ? [
            h('p', { class: 'faint' }, t('lessons.try', { parts: free.join(', ') })),
            button(t('lessons.check'), () => this.#tried() && judge({ election: this.#tried() }), {
              class: 'strong',
              'data-check': '',
            }),
          ]
        : [
            h(
              'div',
              { class: 'row' },
              answer,
              button(t('lessons.check'), () => judge({ answer: answer.value }), { class: 'strong', 'data-check': '' }),
            ),
          ];
    const solution = button(t('lessons.solution'), () =>
      this.#judge({ ask: 'attempt', lesson: this.lesson.name, language: language() }),
    );
    return [...prose(text), ...parts, this.#verdict(), h('p', {}, solution)];
  }

  /** The election that is on the bench, as it was asked for. */
  #tried() {
    return this.lab.bench.branch?.request.election;
  }

  async #judge(request) {
    const isEmpty = request.answer?.trim() === '';
    const said = isEmpty
      ? { word: t('lessons.empty') }
      : await ask(request).catch((error) => ({ right: false, why: error.message }));
    this.said = said;
    if (said.election) await this.lab.bench.begin({ ask: 'run', election: said.election }, t('lessons.solution'));
    this.held = undefined;
    this.#render();
  }

  #verdict() {
    const { said } = this;
    if (!said) return h('p', { role: 'status' });
    const { right, answer, why, word: own } = said;
    if (own) return h('p', { role: 'status', class: 'verdict' }, own);
    const word =
      right === undefined ? t('lessons.told', { answer: answer ?? '' }) : t(right ? 'lessons.right' : 'lessons.wrong');
    return h(
      'div',
      { role: 'status', class: right === false ? 'verdict wrong-answer' : 'verdict right-answer' },
      h('b', {}, word),
      ...(why ? prose(why) : []),
    );
  }

  async #ask(template) {
    const { seed, student } = this;
    const request = { ask: 'exercise', seed, student, language: language(), ...(template ? { template } : {}) };
    const exercise = await this.lab.work.do(t('work.exercise'), (signal) => ask(request, { signal }));
    if (!exercise) return;
    this.exercise = exercise;
    this.said = null;
    if (exercise.election)
      await this.lab.bench.begin({ ask: 'run', election: exercise.election }, t('exercise.title'), {
        isFutureHidden: true,
      });
    else this.lab.hide(t(exercise.story.length > 0 ? 'exercise.secret' : 'exercise.many'));
    this.#render();
  }

  #renderExercise() {
    const { intro, heading, question, facts, choices, story, template, templates, 'answer-kind': kind } = this.exercise;
    const place = templates.indexOf(template);
    const grade = (answer) =>
      this.#judge({
        ask: 'grade',
        seed: this.seed,
        student: this.student,
        template,
        answer,
        language: language(),
      });
    const answer =
      kind === 'choice'
        ? menu(
            choices.map((it) => [it, it]),
            choices[0],
            () => {},
            { 'aria-label': t('lessons.answer') },
          )
        : h('input', {
            'aria-label': t('lessons.answer'),
            on: { keydown: (event) => event.key === 'Enter' && grade(answer.value) },
          });
    put(
      this.root,
      h(
        'div',
        { class: 'row' },
        h('h2', {}, `${place + 1}. ${heading}`),
        button(t('lessons.all'), () => this.#leave(), { class: 'end' }),
      ),
      h(
        'p',
        { class: 'faint' },
        t('exercise.place', { place: n(place + 1), all: n(templates.length), student: this.student, seed: this.seed }),
      ),
      h('p', { class: 'faint' }, intro),
      ...prose(question),
      facts.length > 0
        ? h(
            'dl',
            {},
            facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
          )
        : null,
      story.length > 0
        ? h(
            'ol',
            { class: 'story' },
            story.map((line) => h('li', {}, line)),
          )
        : null,
      h(
        'div',
        { class: 'row' },
        answer,
        button(t('lessons.check'), () => grade(answer.value), { class: 'strong', 'data-check': '' }),
      ),
      this.#verdict(),
      h(
        'div',
        { class: 'row' },
        button(t('lessons.back'), () => this.#ask(templates[place - 1]), { disabled: place === 0 }),
        button(t('exercise.next'), () => this.#ask(templates[place + 1]), {
          disabled: place + 1 === templates.length,
          'data-exercise': 'next',
        }),
      ),
      place + 1 === templates.length ? h('p', { class: 'faint' }, t('exercise.done')) : null,
    );
  }
}
