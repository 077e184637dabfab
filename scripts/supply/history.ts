import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { secretsIn } from './secrets.ts'

/**
 * Reviewed versions of files that contain look-alikes of secrets which grant no access, by git's blob hash.
 */
const harmless: Readonly<Record<string, string>> = {
  // Recorded answers with webhook secrets of a test database that was created anew for each recording.
  e3f94807a8dd8420267f3e8c5f38b3d6bd0a6180: 'functions/v1/examples/answers.json',
  db2099889a36fb54ebe5459f2cc67ff5bc1f5404: 'functions/v1/examples/answers.json',
  '433cd92656e2c4311f9fd1d31b9601aa2a3e17db': 'functions/v1/examples/answers.json',
  '5400a4a52aad3894cd419a1000645de455e16710': 'functions/v1/examples/answers.json',
  '19c9a6dcd564f2f9ef84f22d104ad1716dbf16c1': 'functions/v1/examples/answers.json',
}

/**
 * Finds secrets in all versions of all files in a repository's history, and in commit messages; one sentence
 * each. What was removed from a file is still in every clone. Covers every branch and tag; in a shallow clone
 * only what it has. Empty where there is no repository.
 */
export function secretsInHistory(root = fileURLToPath(new URL('../..', import.meta.url))): string[] {
  const git =
    (...words: string[]) =>
    (input?: string) =>
      spawnSync('git', ['-C', root, ...words], { input, maxBuffer: 2 ** 31 - 1 }).stdout ?? Buffer.alloc(0)
  const paths = new Map(
    git('rev-list', '--objects', '--all')()
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, 40), line.slice(41)]),
  )
  const problems: string[] = []
  const contents = git('cat-file', '--batch')([...paths.keys()].join('\n'))
  // The output per object: a line with the hash, the kind and the length in bytes; then the bytes and a line
  // feed.
  for (let at = 0; at < contents.length;) {
    const end = contents.indexOf('\n', at)
    const [hash = '', kind, bytes] = contents.toString('latin1', at, end).split(' ')
    const last = end + 1 + Number(bytes)
    at = last + 1
    if ((kind !== 'blob' && kind !== 'commit') || Object.hasOwn(harmless, hash)) continue
    for (const { line, what } of secretsIn(contents.toString('latin1', end + 1, last)))
      problems.push(
        `${paths.get(hash) || 'the text of a commit'}:${line} (${hash.slice(0, 12)}) holds ${what}`,
      )
  }
  return problems
}
