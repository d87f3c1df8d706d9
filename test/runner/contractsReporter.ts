// The reporter of the contract's tests, which one process of Hardhat runs: it tells also what that process cost.
import Mocha from 'mocha';
import { send } from './events.ts';
import { EventsReporter } from './eventsReporter.ts';
import { PROCESS_START, startMeasuring } from './fileCost.ts';

/** Sends the events of a run, and its cost. */
export class ContractsReporter extends EventsReporter {
  constructor(runner: Mocha.Runner) {
    super(runner);
    const endMeasuring = startMeasuring(PROCESS_START);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => send({ type: 'processCost', cost: endMeasuring() }));
  }
}

// What require() returns, by which Hardhat's mocha loads a reporter.
export { ContractsReporter as 'module.exports' };
