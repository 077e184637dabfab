const deleted = '[redacted]'

/** Patterns of secrets and their replacements. Secrets are recognised by their form: a log does not know what was secret. */
const forms: [found: RegExp, instead: string][] = [
  // Before the rule for named parameters, which would redact the word `Bearer` and leave the token.
  [/\b(Bearer|Basic|Digest)\s+[A-Za-z0-9._~+/=-]+/gi, `$1 ${deleted}`],
  // User and password of an address: connection strings, feeds.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]+@/gi, `$1${deleted}@`],
  // Parameters of addresses, and members of objects, that are named as secrets are.
  [
    /((?:^|[?&;\s,{"'\\])(?:[\w-]*(?:token|secret|password|passwd|signature|apikey|api[_-]key|access[_-]key|authorization|cookie)|key|sig|code|state|nonce)\\?["']?\s*[=:]\s*\\?["']?)[^\s&"'\\,;}]+/gi,
    `$1${deleted}`,
  ],
  // Our own keys, hashes of them, and sessions: token and signature.
  [/\bcp[ksw]_[A-Za-z0-9_-]+/g, deleted],
  [/\b[0-9a-f]{64}\b/gi, deleted],
  [/\b[A-Za-z0-9_-]{32,}\.[A-Za-z0-9_%+/=-]{32,}/g, deleted],
  [/[^\s@<>"'(),:;=\\/[\]]+@[^\s@<>"'(),:;\\]+\.[a-z]{2,}/gi, deleted],
]

/** Redacts passwords, tokens, keys, connection strings and e-mail addresses in a line of a log. The rest stays readable. */
export function redact(line: string): string {
  return forms.reduce((text, [match, instead]) => text.replace(match, instead), line)
}

const secretName = /token|secret|password|signature|api_?key|authorization|cookie/i

/** A line of JSON for the log: texts are redacted by `redact`, and members whose name marks them as secret are replaced. */
export function logLine(about: Record<string, unknown>): string {
  return JSON.stringify(about, (name, value: unknown) => {
    if (typeof value !== 'string') return value
    return secretName.test(name) ? deleted : redact(value)
  })
}
