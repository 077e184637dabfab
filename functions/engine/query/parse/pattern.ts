/*
 * An invalid pattern would be an error of the database, raised only when the first row is compared. Postgres and
 * JavaScript agree on most of the syntax of regular expressions; what only one of them supports is rejected here.
 */
const maxLength = 1000
const escapes = new Set('dDsSwWmMyYAZafnrtv'.split(''))
const bracketEscapes = new Set('dswafnrtv'.split(''))
/** Zero-width assertions; Postgres allows no quantifier after them. */
const constraintEscapes = new Set('mMyYAZ'.split(''))
const classes = /^\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/
const bounds = /^\{(\d{1,3})(?:,(\d{0,3}))?\}/
/** The maximal size of a pattern with expanded repetitions; Postgres rejects larger ones, or takes seconds. */
const maxSize = 5000

/** Whether Postgres accepts a text as a regular expression. Back references are rejected: they may take very long. */
export function isRegularExpression(pattern: string): boolean {
  if (pattern.length > maxLength) return false
  const body = pattern.replace(/^\(\?[ceinpqst]+\)/, '')
  return isJavaScript(body) && isPostgres(body)
}

function isJavaScript(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}

function isPostgres(body: string): boolean {
  /** Whether each open group is a lookaround. */
  const groups: boolean[] = []
  const size = new Size()
  for (let i = 0; i < body.length;) {
    const rest = body.slice(i, i + 16)
    const isConstraint = rest.startsWith('\\')
      ? constraintEscapes.has(rest[1] ?? '')
      : groups.at(-1) && rest[0] === ')'
    let length = 1
    if (rest.startsWith('\\')) {
      if (!isEscape(rest[1] ?? '', escapes)) return false
      length = 2
      size.piece()
    } else if (rest.startsWith('[')) {
      length = bracketLength(body, i)
      if (length === 0) return false
      size.piece()
    } else if (rest.startsWith('(')) {
      if (rest[1] === '?' && !/^\(\?(:|=|!|<=|<!)/.test(rest)) return false
      groups.push(/^\(\?[=!<]/.test(rest))
      length = /^\(\?<?[:=!]|^\(/.exec(rest)?.[0].length ?? 1
      size.open()
    } else if (rest.startsWith(')')) {
      groups.pop()
      size.close()
    } else if (rest.startsWith('{')) {
      const match = bounds.exec(rest)
      const most = Math.max(Number(match?.[1] ?? 256), Number(match?.[2] || 0))
      if (!match || most > 255) return false
      length = match[0].length
      size.repeat(Number(match[1]), Math.max(most, 1))
    } else if (/[*?]/.test(rest[0] ?? '')) size.repeat(0, 1)
    else size.piece()
    i += length
    if (isConstraint && /[*+?{]/.test(body[i] ?? '')) return false
    if (size.whole > maxSize) return false
  }
  return true
}

/**
 * The number of atoms of a pattern with expanded repetitions. Repetitions of a group with optional parts can each
 * continue at every later one, so they count squared: `(a?){255}` took Postgres a second to compile.
 */
class Size {
  private readonly groups = [{ size: 0, isLoose: false }]
  private last = { size: 0, isLoose: false }

  get whole(): number {
    return this.groups.reduce((sum, { size }) => sum + size, 0)
  }

  piece(): void {
    this.add({ size: 1, isLoose: false })
  }

  open(): void {
    this.groups.push({ size: 0, isLoose: false })
  }

  close(): void {
    this.add(this.groups.pop() ?? this.last)
  }

  /** Repeats the last part between `least` and `most` times. */
  repeat(least: number, most: number): void {
    const { size, isLoose } = this.last
    this.add({ size: size * ((isLoose ? most ** 2 : most) - 1), isLoose: isLoose || least === 0 })
  }

  private add(piece: { size: number; isLoose: boolean }): void {
    this.last = piece
    const group = this.groups.at(-1) ?? this.last
    group.size += piece.size
    group.isLoose ||= piece.isLoose
  }
}

function isEscape(char: string, letters: ReadonlySet<string>): boolean {
  return letters.has(char) || !/[A-Za-z0-9]/.test(char)
}

/** The length of the bracket expression at a position; 0 when it is none that both engines parse alike. */
function bracketLength(body: string, start: number): number {
  let i = start + (body[start + 1] === '^' ? 2 : 1)
  // Postgres reads a first ] as a member, JavaScript as the end.
  if (body[i] === ']') return 0
  let wasClass = false
  for (; i < body.length && body[i] !== ']';) {
    const rest = body.slice(i, i + 16)
    const bracketClass = classes.exec(rest)
    if (!bracketClass && /^\[[:.=]/.test(rest)) return 0
    if (rest.startsWith('\\') && !isEscape(rest[1] ?? '', bracketEscapes)) return 0
    const isClass = bracketClass !== null || /^\\[dsw]/.test(rest)
    const next = i + (bracketClass ? bracketClass[0].length : rest.startsWith('\\') ? 2 : 1)
    // A class is no end of a range.
    if (wasClass && rest.startsWith('-') && body[next] !== ']') return 0
    if (isClass && body[i - 1] === '-') return 0
    // Postgres rejects a range that begins where another ends.
    if (/^.-.-[^\]]/.test(rest)) return 0
    wasClass = isClass
    i = next
  }
  return i < body.length ? i + 1 - start : 0
}

/** Whether Postgres accepts a text for LIKE: it must not end with a lone backslash. */
export function isLikePattern(pattern: string): boolean {
  return (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 0
}
