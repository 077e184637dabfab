/*
 * A broken pattern would be an error of the database, seen only when the first row is compared. Postgres and
 * JavaScript agree on most of what a regular expression is; what only one of them knows is refused here.
 */
const maxLength = 1000
const escapes = new Set('dDsSwWmMyYAZafnrtv'.split(''))
const bracketEscapes = new Set('dswafnrtv'.split(''))
const classes = /^\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/

/** Whether Postgres can use a text as a regular expression. References back to a group are refused: they may take very long. */
export function isRegularExpression(pattern: string): boolean {
  if (pattern.length > maxLength) return false
  const body = pattern.replace(/^\(\?[ceinpqst]+\)/, '')
  if (!isJavaScript(body)) return false
  let i = 0
  let inBracket = false
  while (i < body.length) {
    const rest = body.slice(i, i + 16)
    if (rest.startsWith('\\')) {
      const next = rest[1] ?? ''
      if (/[A-Za-z0-9]/.test(next) && !(inBracket ? bracketEscapes : escapes).has(next)) return false
      i += 2
    } else if (inBracket) {
      const named = classes.exec(rest)
      if (!named && /^\[[:.=]/.test(rest)) return false
      if (rest.startsWith(']')) inBracket = false
      i += named ? named[0].length : 1
    } else if (rest.startsWith('[')) {
      // Postgres reads a first ] as a member, JavaScript as the end: what they disagree on is refused.
      if (/^\[\^?\]/.test(rest)) return false
      inBracket = true
      i += rest.startsWith('[^') ? 2 : 1
    } else if (rest.startsWith('(?')) {
      if (!/^\(\?(:|=|!|<=|<!)/.test(rest)) return false
      i += 2
    } else if (rest.startsWith('{')) {
      const bounds = /^\{(\d{1,3})(?:,(\d{0,3}))?\}/.exec(rest)
      if (!bounds || Number(bounds[1]) > 255 || Number(bounds[2] ?? 0) > 255) return false
      i += bounds[0].length
    } else {
      i += 1
    }
  }
  return !inBracket
}

function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

/** Whether Postgres can use a text with LIKE: its last character must not be a lone backslash. */
export function isLikePattern(pattern: string): boolean {
  return (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 0
}
