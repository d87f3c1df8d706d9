// Finds what an interactive zsh, the shell of macOS, runs differently from bash in the blocks of shell of a document.

const BLOCK = /^( *)```(?:sh|bash|zsh|shell|console)\n([\s\S]*?)^\1```/gm;

const UNPORTABLE: readonly RegExp[] = [
  // zsh takes a comment for arguments: its option INTERACTIVE_COMMENTS is off.
  /(?<=^|\s)#.*/,
  // zsh applies modifiers to a variable without braces: `$NAME:r` is its value without the extension.
  /\$\w+:\S*/,
];

const toLine = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Every comment and every `$NAME:` in the blocks of shell of a markdown text, as `line: text`. */
export const unportableShell = (text: string): string[] =>
  [...text.matchAll(BLOCK)].flatMap(({ index, 2: block }) =>
    block!
      .split('\n')
      .flatMap((line, offset) =>
        UNPORTABLE.flatMap((pattern) => pattern.exec(line) ?? []).map(
          (found) => `${toLine(text, index) + 1 + offset}: ${found}`,
        ),
      ),
  );
