//! What the contexts of both general engines do alike.

/// The methods of a context with a `node` and a `world` of choices, recorder and phases.
macro_rules! observed {
    () => {
        fn choose(&mut self, arity: u64) -> u64 {
            let value = self.world.choices.choose(self.node, arity);
            self.world.recorder.draws(value);
            value
        }

        fn rule(&mut self, label: &'static str) {
            self.world.recorder.follows(label);
        }

        fn enters_phase(&mut self) {
            let event = self.world.recorder.number();
            self.world.phases.iter_mut().for_each(|phases| phases.begins(self.node, true, event));
        }

        fn watches_phase(&mut self) {
            let event = self.world.recorder.number();
            self.world.phases.iter_mut().for_each(|phases| phases.begins(self.node, false, event));
        }
    };
}

pub(crate) use observed;
