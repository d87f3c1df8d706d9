// What the files of a ledger are made with.
import type { TreeView } from '../../indexer/treeView.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import type { RunInTurn } from '../../server/fairness/turns.ts';
import type { ContractAccount } from './contractAccount.ts';
import type { Coverage } from './coverage.ts';
import type { LogProofs } from './logProofs.ts';

/** The parts of a ledger that evidence is made of. */
export interface EvidenceContext {
  readonly trees: TreeView;
  readonly logProofs: LogProofs;
  readonly coverage: Coverage;
  readonly findAccount: ContractAccount['find'];
  /**
   * Counts characters that the file will have at least.
   * @throws LedgerError EVIDENCE_PENDING when files that nobody has read yet leave no memory for it.
   */
  readonly holdAtLeast: (characters: number) => void;
  /** Number of the newest block of the checkpoints that another ledger has; undefined: it has none. */
  readonly readRecordedBlock: () => number | undefined;
  /** Runs what needs much memory or time alone: up to 16 MiB, or all leaves of a tenant. */
  readonly runInTurn: RunInTurn;
  /** Runs work for the file in slices of a few milliseconds, which all files take in turn. */
  readonly runSteps: <T>(steps: Steps<T>) => Promise<T>;
}
