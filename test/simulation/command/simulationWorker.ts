// A worker process of `npm run simulate`. Started with a hook that replaces the edges of the project's code; its only
// argument is the name of a defect that is planted in the code.
import { watchCollections } from '../checks/watchedCollections.ts';
import { findDefect } from '../defects/defects.ts';
import { plantDefect } from '../defects/plantDefect.ts';
import { replaceGlobals } from '../edges/globals.ts';
import { serveRuns } from './serveRuns.ts';

replaceGlobals();
watchCollections();
const [defect] = process.argv.slice(2);
if (defect !== undefined) plantDefect(findDefect(defect));
// Loads the project's code, which the defect changes.
const { runPlan, toPlan } = await import('../run.ts');
serveRuns({ runPlan, toPlan });
