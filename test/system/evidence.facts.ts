// Evidence files of a real ledger, checked offline: what each kind proves, and that no change of one is accepted.
import { createHash, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toHex } from '../../ledger/encoding/hex.ts';
import { fromBase64, toBase64 } from '../../ledger/evidence/base64.ts';
import type { Question } from '../../ledger/evidence/bundle/findings.ts';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { encodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../ledger/evidence/cosignature.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../ledger/evidence/merkleTree.ts';
import { encodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { encodeTlogProof } from '../../ledger/evidence/tlogProof.ts';
import { encodeVerifierKey, SIGNATURE_TYPE, toVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { TestChain } from '../support/chainKinds.ts';
import { type Checked, check, EXIT_UNREADABLE, hashOf, provedOf } from '../support/checkedEvidence.ts';
import { privateKey, publicKeyOf } from '../support/ed25519Keys.ts';
import { createEvidenceMaker, type EvidenceFile, type EvidenceMaker } from '../support/evidenceFiles.ts';
import { type Json, mutationsOf } from '../support/mutations.ts';
import { runVerify } from '../support/runVerify.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';

const EVENTS = 7;

const keyOf = ({ payload }: EvidenceFile): string => {
  const { identity } = JSON.parse(
    Buffer.from(payload as string, 'base64')
      .subarray(1)
      .toString(),
  ) as EvidenceFile;
  return toHex(toKey(identity as string));
};

// A log of three blocks with the file's block at index 1, signed by a log and a witness.
const ORIGIN = 'log.example/1/0xab';
const LOG_KEY = toVerifierKey(ORIGIN, SIGNATURE_TYPE.note, publicKeyOf(1));
const WITNESS_KEY = toVerifierKey('witness.example', SIGNATURE_TYPE.cosignature, publicKeyOf(2));
const OTHER_KEY = toVerifierKey('other.example', SIGNATURE_TYPE.cosignature, publicKeyOf(3));

const anchorOf = (file: EvidenceFile): EvidenceFile => {
  const leaves = [Buffer.alloc(32, 1), Buffer.from(hashOf(file).slice(2), 'hex'), Buffer.alloc(32, 2)];
  const [first, second, third] = leaves.map((leaf) => hashLeaf(leaf)) as [Uint8Array, Uint8Array, Uint8Array];
  const root = toFrontierRoot(extendFrontier(EMPTY_FRONTIER, [first, second, third]));
  const text = encodeCheckpoint({ origin: ORIGIN, size: 3, root, extensions: [] });
  const timeSeconds = 1_800_000_000;
  const signature = sign(null, Buffer.from(text), privateKey(1));
  const cosignature = sign(null, toCosignedMessage(text, timeSeconds), privateKey(2));
  const checkpoint = encodeSignedNote({
    text,
    signatures: [
      { name: LOG_KEY.name, id: LOG_KEY.id, signature },
      { name: WITNESS_KEY.name, id: WITNESS_KEY.id, signature: encodeCosignature(timeSeconds, cosignature) },
    ],
  });
  return { kind: 'tlog-proof', proof: encodeTlogProof({ index: 1, path: [first, third], checkpoint }) };
};

const withAnchor = (file: EvidenceFile): EvidenceFile => {
  const [block] = file.blocks as [EvidenceFile];
  return { ...file, blocks: [{ ...block, anchors: [anchorOf(file)] }] };
};

/** Registers the tests on a ledger of this chain. */
export const describeEvidence = (kind: TestChain): void => {
  describe(`an evidence file of a ledger on ${kind.name}`, () => {
    const shared = useSharedLedger({}, kind);
    let maker: EvidenceMaker;
    let tenant: string;
    let asset: string;
    let events: EventResource[];
    let files: Record<string, EvidenceFile>;
    let disclosed: Json;
    let leaves: Uint8Array;
    const checkFile = (file: Json, trust: Json): Promise<Checked> => check(file, trust, leaves);

    before(async () => {
      const { alpha, ledger } = shared();
      maker = createEvidenceMaker(ledger);
      tenant = alpha.identity;
      ({ identity: asset } = await alpha.createAsset({ weight: '10' }));
      const other = await alpha.createAsset();
      const record = (name: string) =>
        alpha.post<EventResource>(`${asset}/events`, {
          behaviour: 'RecordEvidence',
          operation: 'Record',
          event_attributes: { name },
        });
      const answers = await Promise.all(Array.from({ length: EVENTS }, (_, at) => record(`event ${at}`)));
      events = answers.map(({ body }) => body);
      await alpha.record(other, 'another asset');
      const attested = await maker.attest(tenant, [asset], []);
      const absent = `${asset}/events/00000000-0000-4000-8000-000000000000`;
      const withAbsence = await maker.attest(tenant, [], [absent]);
      await alpha.record({ identity: asset }, 'after the attestation');
      const list = await maker.tenant(tenant, attested);
      files = {
        logged: await maker.event(events[3]!),
        event: await maker.event(events[3]!, attested),
        history: await maker.history(tenant, asset, attested),
        range: await maker.range(tenant, asset, [3, 6], attested),
        start: await maker.range(tenant, asset, [1, 2], attested),
        absence: await maker.absence(tenant, absent, withAbsence),
        tenant: list.file,
      };
      leaves = list.leaves;
      ({ records: disclosed } = (await maker.range(tenant, asset, [1, EVENTS + 1], attested)) as { records: Json });
    });

    const trustIn = (file: EvidenceFile): EvidenceFile => maker.trust({ blocks: [hashOf(file)] });

    const proves: Record<string, Question[]> = {
      logged: ['content', 'author', 'position', 'chain'],
      event: ['content', 'author', 'position', 'chain'],
      history: ['completeness', 'chain'],
      range: ['content', 'author', 'completeness', 'chain'],
      start: ['content', 'author', 'completeness', 'chain'],
      absence: ['absence', 'chain'],
      tenant: ['completeness', 'chain'],
    };
    for (const [name, questions] of Object.entries(proves)) {
      it(`proves under a noted block: ${name}`, async () => {
        const verdict = await checkFile(files[name]!, trustIn(files[name]!));
        expect(verdict.exitCode, JSON.stringify(verdict.findings)).to.equal(0);
        expect(provedOf(verdict)).to.deep.equal(questions);
      });

      it(`is consistent, but under none of the caller's roots: ${name}`, async () => {
        for (const trust of [maker.trust(), maker.trust({ blocks: [`0x${'ab'.repeat(32)}`] })]) {
          const { exitCode, findings } = await checkFile(files[name]!, trust);
          expect(exitCode).to.equal(3);
          const chain = findings.find(({ question }) => question === 'chain')!;
          expect([chain.answer, chain.text.includes(hashOf(files[name]!))]).to.deep.equal(['not answered', true]);
        }
      });
    }

    it('proves a history with its records, with or without their keys', async () => {
      const { digests: _, ...history } = files.history! as EvidenceFile;
      const keyed = (disclosed as EvidenceFile[]).map((record) => ({ ...record, id: keyOf(record) }));
      const wrong = keyed.with(1, { ...keyed[1]!, id: keyed[2]!.id });
      for (const [records, code] of [
        [disclosed, 0],
        [keyed, 0],
        [wrong, 1],
      ] as const) {
        const verdict = await checkFile({ ...history, records: records as Json }, trustIn(files.history!));
        expect(verdict.exitCode).to.equal(code);
        if (code === 0) expect(provedOf(verdict)).to.include('content');
      }
    });

    it('proves a list of a tenant with exactly its leaves', async () => {
      const file = files.tenant as { claim: EvidenceFile } & EvidenceFile;
      const wrong: Uint8Array[] = [
        leaves.subarray(80),
        leaves.subarray(0, -80),
        leaves.subarray(0, -1),
        Buffer.concat([leaves, Buffer.alloc(1)]),
        Buffer.concat([leaves, leaves.subarray(-80)]),
        Buffer.concat([leaves.subarray(80), leaves.subarray(0, 80)]),
        Buffer.from(leaves).fill(1, 100, 101),
        Buffer.alloc(0),
      ];
      for (const changed of wrong) {
        const named = (leaves_sha256: string): EvidenceFile => ({ ...file, claim: { ...file.claim, leaves_sha256 } });
        const renamed = named(`0x${createHash('sha256').update(changed).digest('hex')}`);
        expect((await check(file, trustIn(file), changed)).exitCode).to.equal(1);
        expect((await check(renamed, trustIn(file), changed)).exitCode).to.equal(1);
        expect((await check(renamed, trustIn(file), leaves)).exitCode).to.equal(1);
      }
      expect((await check(file, trustIn(file))).exitCode).to.equal(EXIT_UNREADABLE);
    });

    it('is refuted for another ledger than the named one', async () => {
      const trust = trustIn(files.event!);
      expect((await checkFile(files.event!, { ...trust, chain_id: 1 })).exitCode).to.equal(1);
      expect((await checkFile(files.event!, { ...trust, contract: `0x${'ab'.repeat(20)}` })).exitCode).to.equal(1);
    });

    it('proves with the checkpoint of a log, and with witnesses that no other log was shown', async () => {
      const file = withAnchor(files.event!);
      const logs = [encodeVerifierKey(LOG_KEY)];
      const [witness, other] = [WITNESS_KEY, OTHER_KEY].map(encodeVerifierKey) as [string, string];
      const logged = await checkFile(file, maker.trust({ logs }));
      expect([logged.exitCode, provedOf(logged).slice(3)]).to.deep.equal([0, ['chain', 'operator']]);
      const witnessed = await checkFile(file, maker.trust({ logs, witnesses: [witness, other], quorum: 1 }));
      expect([witnessed.exitCode, provedOf(witnessed).slice(3)]).to.deep.equal([
        0,
        ['chain', 'operator', 'split-view', 'time'],
      ]);
      expect(provedOf(await checkFile(file, maker.trust({ logs, witnesses: [witness, other] })))).to.not.include(
        'split-view',
      );
      // Witnesses say nothing of a log that the caller doesn't know, nor does a log of a file without checkpoint.
      const unlogged = await checkFile(files.event!, maker.trust({ logs }));
      for (const { exitCode, findings } of [unlogged, await checkFile(file, maker.trust({ witnesses: [witness] }))]) {
        const { answer, text } = findings.find(({ question }) => question === 'operator')!;
        expect([exitCode, answer, text === '']).to.deep.equal([3, 'not answered', false]);
      }
    });

    it('is refuted when an anchor is of another block, or a signature of a named key is wrong', async () => {
      const logs = [encodeVerifierKey(LOG_KEY)];
      const [block] = files.event!.blocks as [EvidenceFile];
      const foreign = { ...files.event!, blocks: [{ ...block, anchors: [anchorOf(files.absence!)] }] };
      expect((await checkFile(foreign, maker.trust({ logs }))).exitCode).to.equal(1);
      const anchor = anchorOf(files.event!) as { proof: string };
      const end = anchor.proof.indexOf('\u2014 log.example');
      const line = anchor.proof.slice(end).split('\n')[0]!;
      const bytes = fromBase64(line.split(' ')[2]!);
      bytes[10]! ^= 1;
      const proof = anchor.proof.replace(line, `${line.slice(0, line.lastIndexOf(' '))} ${toBase64(bytes)}`);
      const wrong = { ...files.event!, blocks: [{ ...block, anchors: [{ ...anchor, proof }] }] };
      expect((await checkFile(wrong, maker.trust({ logs }))).exitCode).to.equal(1);
    });

    // Members that no proof reaches.
    const uncovered: Record<string, (keyof EventResource)[]> = {
      logged: ['transaction_id', 'log_index'],
      event: ['transaction_id', 'log_index', 'transaction_index'],
    };
    const covered = (name: string, file: EvidenceFile) => {
      const { claim, ...others } = file as { claim: { event?: Record<string, Json> } } & EvidenceFile;
      const members = Object.entries(claim?.event ?? {}).filter(
        ([member]) => member in (events[0] as object) && !uncovered[name]?.includes(member as keyof EventResource),
      );
      return {
        ...others,
        claim: claim?.event === undefined ? claim : { ...claim, event: Object.fromEntries(members) },
      };
    };
    const headerOf = (file: EvidenceFile): Json => (file.blocks as EvidenceFile[])[0]!.header!;

    it('is checked by npm run verify, which ends with the code of the verdict', async () => {
      const run = async (file: Json, trust: Json, ...more: string[]): Promise<number> => {
        const paths = ['evidence.json', 'roots.json'].map((name) => join(shared().dataDir, name)) as [string, string];
        await writeFile(paths[0], JSON.stringify(file));
        await writeFile(paths[1], JSON.stringify(trust));
        return (await runVerify(paths[0], '--trust', paths[1], ...more)).code;
      };
      const event = files.event!;
      expect(await run(event, trustIn(event))).to.equal(0);
      expect(await run({ ...event, blocks: files.logged!.blocks! }, trustIn(event))).to.equal(1);
      expect(await run({ ...event, format: 'provenance-ledger/evidence/2' }, trustIn(event))).to.equal(EXIT_UNREADABLE);
      expect(await run(event, maker.trust())).to.equal(3);
      expect(await run(files.tenant!, trustIn(files.tenant!))).to.equal(EXIT_UNREADABLE);
      await writeFile(join(shared().dataDir, 'evidence.json.leaves'), leaves);
      expect(await run(files.tenant!, trustIn(files.tenant!))).to.equal(0);
      expect(await run(files.tenant!, trustIn(files.tenant!), '--leaves', 'gone')).to.equal(EXIT_UNREADABLE);
      expect(await run(files.tenant!, trustIn(files.tenant!), '--leaves', 'package.json')).to.equal(1);
    });

    it('lists the members of the event that nothing proves', async () => {
      for (const [name, members] of Object.entries(uncovered)) {
        const file = structuredClone(files[name]!) as { claim: { event: EvidenceFile } } & EvidenceFile;
        file.claim.event.added = 'x';
        const verdict = await verifyBundle(JSON.stringify(file), JSON.stringify(trustIn(file)));
        expect(verdict.uncovered).to.deep.equal([...members, 'added']);
      }
    });

    for (const name of Object.keys(proves)) {
      it(`is accepted with no change: ${name}`, async () => {
        const trust = trustIn(files[name]!);
        const exitCodes = new Map<number, number>();
        for (const changed of mutationsOf(files[name]!) as Iterable<EvidenceFile>) {
          const { exitCode } = await checkFile(changed, trust);
          exitCodes.set(exitCode, (exitCodes.get(exitCode) ?? 0) + 1);
          // Another header that has the receipts is that of another block, which the caller hasn't noted.
          if (exitCode === 3) expect(headerOf(changed)).to.not.equal(headerOf(files[name]!));
          if (exitCode === 0) expect(covered(name, changed)).to.deep.equal(covered(name, files[name]!));
        }
        expect(exitCodes.get(1)).to.be.above(20);
        expect(exitCodes.get(EXIT_UNREADABLE)).to.be.above(100);
      });
    }

    it('is accepted with no part of another file', async () => {
      const names = Object.keys(files);
      for (const one of names) {
        for (const other of names.filter((name) => name !== one)) {
          for (const part of Object.keys(files[one]!)) {
            const swapped = { ...files[one]!, [part]: files[other]![part] ?? null };
            if (JSON.stringify(swapped) === JSON.stringify(files[one])) continue;
            const { exitCode } = await checkFile(
              swapped,
              maker.trust({ blocks: [hashOf(files[one]!), hashOf(files[other]!)] }),
            );
            expect(exitCode, `${one} with ${part} of ${other}`).to.be.oneOf([1, EXIT_UNREADABLE]);
          }
        }
      }
    });
  });
};
