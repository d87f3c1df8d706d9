// The complete path: REST request, outbox, chain, index, answer.
import { CHAIN_KINDS } from '../support/chainKinds.ts';
import { describeRestStories } from '../support/restStories.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

for (const kind of CHAIN_KINDS) describeRestStories(kind.name, () => useSharedLedger({}, kind));
