// Runs a Dockerfile in plain directories: each stage is a directory, to which the image's absolute paths are mapped.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** A stage after its last instruction. */
export interface Image {
  readonly base: string;
  readonly root: string;
  workdir: string;
  readonly env: Record<string, string>;
  user: string | undefined;
  volumes: string[];
  healthcheck: string[];
  command: string[];
  /** The paths that were copied from the repository. */
  copied: string[];
}

/** The instructions of a Dockerfile, without comments and with continued lines joined. */
const parseDockerfile = (text: string): Instruction[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line)!;
      return { name: name!, text: rest! };
    });

/** The paths that a .dockerignore of the form "everything but these" includes in the build. */
const readAllowedPaths = (path: string): string[] => {
  const [first, ...rest] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (first !== '*' || rest.some((line) => !line.startsWith('!'))) throw new Error('not of the form "* !path ..."');
  return rest.map((line) => line.slice(1));
};

const parseExec = (text: string): string[] => JSON.parse(text) as string[];

const run = (image: Image, text: string, base: NodeJS.ProcessEnv): void => {
  // The image's home directory is mapped to the stage's.
  const command = text.replaceAll(/(?<=^|\s)\/(?=\w)/g, `${image.root}/`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: join(image.root, image.workdir),
    env: { ...base, ...image.env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${text}: ${stdout}${stderr}`);
};

/**
 * Runs all stages and returns the last one. `context` is the repository; `directory` contains the stages.
 */
export const buildImage = (context: string, directory: string, env: NodeJS.ProcessEnv): Image => {
  const allowed = readAllowedPaths(join(context, '.dockerignore'));
  const stages = new Map<string, Image>();
  let image: Image | undefined;

  const from = (text: string): Image => {
    const [base, , name = 'last'] = text.split(/\s+/);
    const root = join(directory, name);
    mkdirSync(join(root, 'home/node'), { recursive: true });
    const stage: Image = {
      base: base!,
      root,
      workdir: '/',
      env: {},
      user: undefined,
      volumes: [],
      healthcheck: [],
      command: [],
      copied: [],
    };
    stages.set(name, stage);
    return stage;
  };

  const copy = (into: Image, text: string): void => {
    const words = text.split(/\s+/);
    const stage = words[0]!.startsWith('--from=') ? stages.get(words.shift()!.slice('--from='.length))! : undefined;
    const target = words.pop()!;
    for (const source of words) {
      if (stage === undefined && !allowed.some((path) => `${source}/`.startsWith(`${path}/`)))
        throw new Error(`COPY ${source}: .dockerignore leaves it out`);
      const path = join(stage?.root ?? context, source);
      const isInFolder = target.endsWith('/') && statSync(path).isFile();
      const to = join(into.root, into.workdir, target, isInFolder ? source : '');
      mkdirSync(dirname(to), { recursive: true });
      cpSync(path, to, { recursive: true, verbatimSymlinks: true });
      if (stage === undefined) into.copied.push(source);
    }
  };

  const change = (into: Image, { name, text }: Instruction): void => {
    if (name === 'WORKDIR') mkdirSync(join(into.root, text), { recursive: true });
    if (name === 'WORKDIR') into.workdir = text;
    else if (name === 'COPY') copy(into, text);
    else if (name === 'RUN') run(into, text, env);
    else if (name === 'ENV') into.env[text.split('=')[0]!] = text.slice(text.indexOf('=') + 1);
    else if (name === 'USER') into.user = text;
    else if (name === 'VOLUME') into.volumes.push(text);
    else if (name === 'HEALTHCHECK') into.healthcheck = parseExec(text.slice(text.indexOf('CMD') + 'CMD'.length));
    else if (name === 'CMD') into.command = parseExec(text);
    else if (name !== 'EXPOSE' && name !== 'ARG') throw new Error(`${name} is not known`);
  };

  for (const instruction of parseDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (instruction.name === 'FROM') image = from(instruction.text);
    else if (image !== undefined) change(image, instruction);
  }
  return image!;
};

/** The environment of a program in the image, with the image's paths mapped to the stage. */
export const toImageEnv = ({ env, root }: Image): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.startsWith('/') ? join(root, value) : value]),
  );
