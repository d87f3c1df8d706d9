// How the programs of scripts/ are started, wherever that is written.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';

const OPTION = '--disable-sigusr1';
const PROGRAM = /\bscripts\/(?!setup\.js|generate)\w+\.ts\b/;

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const isOpen = (command: readonly string[]): boolean =>
  command.some((word) => PROGRAM.test(word)) && !command.includes(OPTION);

describe('the programs of scripts/', () => {
  it('open no debugger on SIGUSR1, as an npm script, in a container and in the composition', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = Object.values(scripts).flatMap((script) => script.split(/&&|;/));
    expect(commands.filter((command) => PROGRAM.test(command)).length).to.be.greaterThan(15);
    expect(commands.map((command) => command.trim().split(/\s+/)).filter(isOpen)).to.deep.equal([]);
    const { services } = parse(read('compose.yaml')) as { services: Record<string, { command?: string[] }> };
    expect(
      Object.values(services)
        .map(({ command = [] }) => command)
        .filter(isOpen),
    ).to.deep.equal([]);
    const [, started] = /^CMD (\[.*\])$/m.exec(read('Dockerfile'))!;
    expect(JSON.parse(started!)).to.include(OPTION);
  });

  it('guard their process first', () => {
    const names = readdirSync(new URL('../../scripts/', import.meta.url)).filter(
      (name) => name.endsWith('.ts') && !/^(?:build|docs|generate)/.test(name),
    );
    const commands = names.map((name) => [name, read(`scripts/${name}`)] as const);
    const unguarded = commands.filter(
      ([, text]) => text.includes("'commander'") && !/\b(?:runMain|guardProcess)\(/.test(text),
    );
    expect(unguarded.map(([name]) => name)).to.deep.equal([]);
  });
});
