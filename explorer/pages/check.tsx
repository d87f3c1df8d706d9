// Checks a file in this browser: whether the ledger has it, or whether its proofs hold.
import { useEffect, useState } from 'preact/hooks';
import { type CheckOutcome, runCheck } from '../check/runCheck.ts';
import { ShownOutcome } from '../check/verdict.tsx';
import { Doubt } from '../components/doubt.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLeaving } from '../state/useLeaving.ts';

const ChooseFile = ({ label, onFile }: { label: string; onFile: (file: File | undefined) => void }) => (
  <label>
    {label}
    <input type="file" onChange={({ currentTarget }) => onFile(currentTarget.files?.[0])} />
  </label>
);

export const CheckPage = () => {
  useTitle('Check');
  const [trust, setTrust] = useState<File>();
  const [outcome, setOutcome] = useState<CheckOutcome>({});
  const signal = useLeaving();
  const run = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setOutcome({ isRunning: true });
    setOutcome(await runCheck(async ({ checkFile }) => checkFile(file, { trust: await trust?.text(), signal })));
  };
  const hash = useAddress().parameters.get('hash');
  useEffect(() => {
    if (hash === null) return;
    setOutcome({ isRunning: true });
    runCheck(({ checkHash }) => checkHash(hash)).then(setOutcome);
  }, [hash]);
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    run(event.dataTransfer?.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field below does the same by keyboard.
    <section onDragOver={drag} onDragLeave={() => setOver(false)} onDrop={drop}>
      <h1>Check</h1>
      <p>
        Drop a file here: the JSON of an event, an evidence file, or any other file. It is checked in this browser, and
        isn’t sent anywhere; the server sees its hash, or the identity of the event.
      </p>
      <div class={isOver ? 'drop over' : 'drop'}>
        <ChooseFile label="File to check" onFile={run} />
        <ChooseFile label="Your roots of trust (trust.json, optional)" onFile={setTrust} />
      </div>
      <ShownOutcome outcome={outcome} />
      <Doubt />
    </section>
  );
};
