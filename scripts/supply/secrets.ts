import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesBelow } from '../files-below.ts'

/** A secret found in a file; the secret itself is not included, because findings are printed. */
interface SecretFinding {
  line: number
  what: string
}

/** Patterns of secrets, by issuer. */
const patterns: Readonly<Record<string, RegExp>> = {
  'a private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g,
  'a key of AWS': /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  'a token of GitHub': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/g,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b/g,
  'a token of Slack': /\bxox[abeprs]-[A-Za-z0-9-]{20,}/g,
  'a key of Stripe': /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  'a key of Google': /\bAIza[A-Za-z0-9_-]{35}\b/g,
  'a key of an API of AI': /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,}/g,
  'a password of Neon': /\bnpg_[A-Za-z0-9]{12,}/g,
  'a key of Commonplace': /\bcp[ks]_[A-Za-z0-9_-]{32,}/g,
  'a secret of webhooks': /\bwhsec_[A-Za-z0-9+/=]{24,}/g,
  'a signed token': /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/g,
  'a password in an address': /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/'"`]+:(?!\$)[^\s@/'"`]{3,}@([^\s/:'"`]+)/g,
}

/**
 * Hosts without real credentials: this machine, names reserved for examples and tests, and placeholders in
 * code.
 */
const nobody =
  /^(?:localhost|127\.0\.0\.1|host|\$.*|(?:.+\.)?(?:local|localhost|test|example|invalid|example\.(?:com|org|net)))$/

/** Published in the Standard Webhooks specification as the example secret. */
const publicExamples: readonly string[] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']

export function secretsIn(text: string): SecretFinding[] {
  return Object.entries(patterns).flatMap(([what, pattern]) =>
    [...text.matchAll(pattern)]
      .filter(([whole, host]) => !publicExamples.includes(whole) && !(host && nobody.test(host)))
      .map(({ index }) => ({ line: text.slice(0, index).split('\n').length, what })),
  )
}

/**
 * Finds secrets in all files below a folder, text or binary, and files that only exist to hold secrets; one
 * sentence each.
 */
export function secretsBelow(root = fileURLToPath(new URL('../..', import.meta.url))): string[] {
  // `.git` is a file in a git worktree. Logs are written by tools.
  const files = [...filesBelow(root)].filter((file) => !file.endsWith('.log') && file !== '.git')
  return files.flatMap((file) => {
    const problems = secretsIn(readThere(join(root, file))).map(
      ({ line, what }) => `${file}:${line} holds ${what}`,
    )
    if (/(?:^|\/)(?:\.env(?:\..+)?|\.dev\.vars|\.npmrc|\.netrc|id_[a-z0-9]+)$|\.(?:pem|p12|pfx)$/.test(file))
      problems.push(`${file} is a file of secrets`)
    return problems
  })
}

/**
 * Reads a file with one character per byte; empty when it was deleted since the folder was listed, as files
 * of other tools may be.
 */
function readThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
