/**
 * JavaScript and RE2 share most of their syntax but differ in the meaning of `\s`, `.`, `\A`, `[]`, `\pL`, `[[:alpha:]]` and others.
 * This translates a JavaScript pattern (without flags) token by token into an equivalent for RE2. The unit is code points, where
 * JavaScript without flags has UTF-16 units.
 */

const anyButLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]'
const space =
  '\\t-\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const notSpace =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const sets: Record<string, string> = {
  d: '0-9',
  D: '\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}',
  w: '0-9A-Za-z_',
  W: '\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}',
  s: space,
  S: notSpace,
}
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Maximum number of states of an unrolled pattern, and of one repetition. */
const maxStates = 1000
const maxRepeat = 1000

/** A character (`code`), a set of them (`set`, the inside of a class), or an assertion (`edge`). */
type Atom = { code: number } | { set: string } | { edge: string }

/** The pattern in RE2's syntax; null without an equivalent, or with more than 1,000 states. */
export function translatePattern(source: string): string | null {
  const cursor = { source, at: 0 }
  const open: number[] = []
  let out = ''
  let states = 0
  let last = 0
  const add = (text: string) => {
    out += text
    last = 1
    states += 1
  }
  while (cursor.at < source.length) {
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(cursor.at, cursor.at + 40))
    if (quantifier !== null) {
      const repeat = parseRepetition(quantifier)
      if (repeat === null) return null
      cursor.at += quantifier[0].length
      out += repeat.text
      const next = last * repeat.times + repeat.choices
      states += next - last
      last = next
    } else if (source[cursor.at] === '(') {
      const opening = /^\((?:\?:|\?<(?![=!])[^>]*>|(?!\?))/.exec(source.slice(cursor.at))
      if (opening === null) return null
      cursor.at += opening[0].length
      out += '(?:'
      open.push(states)
      states = 0
    } else if (source[cursor.at] === ')') {
      cursor.at += 1
      out += ')'
      last = states + 1
      states = (open.pop() ?? 0) + last
    } else {
      const piece = readPiece(cursor)
      if (piece === null) return null
      add(piece)
    }
    if (states > maxStates) return null
  }
  return out
}

interface Cursor {
  source: string
  at: number
}

/** A repetition in RE2's syntax, its number of copies, and how many of them are optional. */
function parseRepetition(match: RegExpExecArray): { text: string; times: number; choices: number } | null {
  const [whole, low, comma, high] = match
  const lazy = whole.length > 1 && whole.endsWith('?') ? '?' : ''
  if (low === undefined) return { text: whole[0]! + lazy, times: 1, choices: 1 }
  const from = Number(low)
  if (comma === undefined) {
    return from > maxRepeat ? null : { text: `{${from}}${lazy}`, times: Math.max(1, from), choices: 0 }
  }
  const to = high ? Number(high) : from + 1
  if (to > maxRepeat) return null
  return { text: `{${from},${high ? to : ''}}${lazy}`, times: Math.max(1, to), choices: to - from }
}

function readPiece(cursor: Cursor): string | null {
  const { source } = cursor
  const character = source[cursor.at]!
  if (character === '[') return readClass(cursor)
  if (character === '^' || character === '$' || character === '|' || character === '.') {
    cursor.at += 1
    return character === '.' ? anyButLineEnd : character
  }
  const atom = readAtom(cursor, false)
  if (atom === null) return null
  if ('edge' in atom) return atom.edge
  return 'set' in atom ? `[${atom.set}]` : literal(atom.code)
}

function readClass(cursor: Cursor): string | null {
  cursor.at += 1
  const isNegated = cursor.source[cursor.at] === '^'
  if (isNegated) cursor.at += 1
  let inside = ''
  while (cursor.source[cursor.at] !== ']') {
    const first = readAtom(cursor, true)
    if (first === null) return null
    const isRange = cursor.source[cursor.at] === '-' && cursor.source[cursor.at + 1] !== ']'
    if (!isRange) {
      inside += formatClassAtom(first)
      continue
    }
    cursor.at += 1
    const second = readAtom(cursor, true)
    if (second === null) return null
    const dash = 'code' in first && 'code' in second ? '-' : literal(0x2d)
    inside +=
      dash === '-'
        ? `${formatClassAtom(first)}-${formatClassAtom(second)}`
        : formatClassAtom(first) + dash + formatClassAtom(second)
  }
  cursor.at += 1
  if (inside === '') return isNegated ? '[\\x{0}-\\x{10ffff}]' : '[^\\x{0}-\\x{10ffff}]'
  return `[${isNegated ? '^' : ''}${inside}]`
}

function formatClassAtom(atom: Atom): string {
  if ('set' in atom) return atom.set
  return 'code' in atom ? literal(atom.code) : ''
}

function literal(code: number): string {
  const character = String.fromCodePoint(code)
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${code.toString(16)}}`
}

function readAtom(cursor: Cursor, isInClass: boolean): Atom | null {
  const code = cursor.source.codePointAt(cursor.at)
  if (code === undefined) return null
  cursor.at += code > 0xffff ? 2 : 1
  return code === 0x5c ? readEscape(cursor, isInClass) : { code }
}

/** The atom after a backslash; null for back references and octal escapes, which RE2 lacks. */
function readEscape(cursor: Cursor, isInClass: boolean): Atom | null {
  const rest = cursor.source.slice(cursor.at, cursor.at + 10)
  const name = rest[0]
  if (name === undefined) return null
  const consume = (length: number, atom: Atom | null) => {
    cursor.at += length
    return atom
  }
  if (name === 'b') return consume(1, isInClass ? { code: 8 } : { edge: '\\b' })
  if (name === 'B' && !isInClass) return consume(1, { edge: '\\B' })
  if (name === 'k' && !isInClass) return null
  if (/^(?:[1-9]|0\d)/.test(rest)) return null
  if (name === '0') return consume(1, { code: 0 })
  if (Object.hasOwn(sets, name)) return consume(1, { set: sets[name]! })
  if (Object.hasOwn(controls, name)) return consume(1, { code: controls[name]! })
  if (name === 'c') {
    const control = /^c([A-Za-z])/.exec(rest)
    return control === null ? { code: 0x5c } : consume(2, { code: control[1]!.charCodeAt(0) % 32 })
  }
  const pair = /^u(d[89ab][0-9a-f]{2})/i.exec(rest)
  const tail = /^\\u(d[c-f][0-9a-f]{2})/i.exec(cursor.source.slice(cursor.at + 5, cursor.at + 11))
  if (pair !== null && tail !== null) {
    const both = String.fromCharCode(parseInt(pair[1]!, 16), parseInt(tail[1]!, 16))
    return consume(11, { code: both.codePointAt(0)! })
  }
  const hex = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(rest)
  if (hex !== null) return consume(hex[0].length, { code: parseInt(hex[1] ?? hex[2]!, 16) })
  const code = cursor.source.codePointAt(cursor.at)!
  return consume(code > 0xffff ? 2 : 1, { code })
}
