import { UnreadableError } from '../row.ts'
import { copyBeginning, formatByteCount, type ReadLimits } from './caps.ts'
import { badFrom, type BadCharacter, type Piece } from './decode.ts'
import { isSelected } from './selector.ts'

/** A selected value as text. */
export interface CapturedValue {
  /** The index of the selector. */
  selector: number
  text: string
  line: number
  /** Its first undecodable sequence. */
  bad?: BadCharacter
  /** Whether it exceeds the length limit of rows: `text` is then its beginning. */
  isLong: boolean
  /** The number of its lists without lists in them, four or more levels deep: of the positions of rings in a feature. */
  points: number
}

interface JsonScanOptions {
  selectors: string[][]
  caps: Pick<ReadLimits, 'row' | 'depth'>
  onValue(captured: CapturedValue): void
  /**
   * A path to a list of objects selects the objects; otherwise the list as a whole, like one that ends with
   * `*`.
   */
  takesMembers?: boolean
  /** Called for each empty list or object with selected members, with the index of the selector. */
  onEmpty?(selector: number): void
  /**
   * Called when an object or list opens, with its path from the root, `*` in lists; if given, keys are
   * tracked at all depths.
   */
  onOpen?(path: string[], isList: boolean): void
  /** Called for each key of the open object; only with `onOpen`. */
  onName?(name: string): void
  /** Called when an object or list closes. */
  onClose?(): void
}

interface Capture {
  selector: number
  /** Its start in the current chunk. */
  start: number
  line: number
  depth: number
  isLong: boolean
  points: number
  /** The part in earlier chunks; for a value that is too long, its beginning. */
  head: string
  /** Whether it is a list whose objects are selected if it has any. */
  mayBeMembers: boolean
  /** The first undecodable sequence in earlier chunks. */
  bad?: BadCharacter
}

/** The levels of a feature around the positions of its rings: itself, the geometry, its coordinates, the ring. */
const levelsOfRings = 4

/** The expected token, between captured values. */
type ExpectedToken = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'nothing'

/**
 * Finds selected values in JSON of any length, in the order in which they end, and keeps only the text of the
 * current value. Parts of a long value are joined only at its end: joining them for each chunk would take
 * quadratic time. Between selected values the syntax is fully checked; within one only brackets and strings
 * are tracked, so that an invalid value is one rejected row and does not end the reading.
 */
export class JsonScanner {
  /** The current chunk. */
  private text = ''
  private i = 0
  private line = 1
  /** The offset of the line's start relative to the chunk: for columns. */
  private lineStart = 0
  private lists: boolean[] = []
  private path: string[] = []
  private counts: number[] = []
  private expected: ExpectedToken = 'value'
  private captures: Capture[] = []
  private tokenStart = -1
  /** The part of the token in earlier chunks. */
  private tokenHead = ''
  private inText = false
  private isEscaped = false
  private isEscapedText = false
  private bad: BadCharacter[] = []
  /** Open lists whose members are captured one by one, by depth. */
  private memberLists: Pick<Capture, 'selector' | 'depth'>[] = []
  private deepest: number
  /** Whether the innermost open list or object has nothing in it that opened. */
  private isInnermost = false

  constructor(private options: JsonScanOptions) {
    this.deepest = options.onOpen ? Infinity : this.deepestSelector()
  }

  push(piece: Piece) {
    // A value reports only its first invalid sequence, so those of earlier chunks are not kept.
    for (const capture of this.captures) capture.bad ??= badFrom(this.bad, capture.start)
    this.retainParts()
    this.lineStart -= this.i
    this.i = 0
    this.bad = piece.bad
    this.text = piece.text
    this.scan()
  }

  finish() {
    if (this.tokenStart >= 0 && !this.inText) this.endToken(this.i)
    if (this.expected === 'nothing' && !this.lists.length) return
    const [row] = this.captures
    this.fail(
      row
        ? `The document ends in the middle of what begins in line ${row.line}`
        : 'The document ends too early',
    )
  }

  /** Stops the `onOpen`, `onName` and `onClose` callbacks. */
  stopTelling() {
    const { selectors, caps, onValue, takesMembers, onEmpty } = this.options
    this.options = {
      selectors,
      caps,
      onValue,
      ...(takesMembers && { takesMembers }),
      ...(onEmpty && { onEmpty }),
    }
    this.deepest = this.deepestSelector()
  }

  private deepestSelector(): number {
    return Math.max(0, ...this.options.selectors.map((steps) => steps.length))
  }

  /** Discards the value of a selector that is being captured. */
  drop(selector: number) {
    this.captures = this.captures.filter((capture) => capture.selector !== selector)
  }

  private scan() {
    const { text } = this
    for (; this.i < text.length; this.i++) {
      const code = text.charCodeAt(this.i)
      if (this.inText) {
        if (this.isEscaped) this.isEscaped = false
        else if (code === 92) this.isEscaped = this.isEscapedText = true
        else if (code === 34) this.endText()
        else if (code === 10 || code === 13) this.fail('A text is not closed at the end of its line')
        continue
      }
      if (code === 10) {
        this.line++
        this.lineStart = this.i + 1
      }
      const isSpace = code === 32 || code === 10 || code === 13 || code === 9
      const isMark = code === 44 || code === 58 || code === 91 || code === 93 || code === 123 || code === 125
      if (this.tokenStart >= 0) {
        if (!isSpace && !isMark && code !== 34) continue
        this.endToken(this.i)
      }
      if (isSpace) continue
      if (code === 34) this.openText()
      else if (code === 123 || code === 91) this.open(code === 91)
      else if (code === 125 || code === 93) this.close(code === 93)
      else if (code === 44) this.comma()
      else if (code === 58) this.colon()
      else this.openToken()
    }
  }

  private openText() {
    if (this.expected !== 'name' && this.expected !== 'first name') this.beginValue()
    this.tokenStart = this.i
    this.tokenHead = ''
    this.inText = true
    this.isEscapedText = false
  }

  private endText() {
    this.inText = false
    const start = this.tokenStart
    this.tokenStart = -1
    if (this.expected !== 'name' && this.expected !== 'first name') return this.endValue(this.i + 1)
    const depth = this.lists.length
    if (depth <= this.deepest) {
      const name = this.parseName(this.tokenHead + this.text.slice(start, this.i + 1))
      this.path[depth - 1] = name
      this.options.onName?.(name)
    }
    this.expected = 'colon'
  }

  private parseName(token: string): string {
    if (!this.isEscapedText) return token.slice(1, -1)
    try {
      return String(JSON.parse(token))
    } catch {
      return this.fail('A name is not JSON')
    }
  }

  private openToken() {
    this.beginValue()
    this.tokenStart = this.i
    this.tokenHead = ''
  }

  private endToken(end: number) {
    const start = this.tokenStart
    this.tokenStart = -1
    if (!this.captures.length) this.check(this.tokenHead + this.text.slice(start, end))
    this.endValue(end)
  }

  private check(token: string) {
    if (!/^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(token))
      this.fail(`"${token.slice(0, 40)}" is not JSON`)
  }

  private open(isList: boolean) {
    this.beginValue(isList ? 'list' : 'object')
    const depth = this.lists.length
    if (depth >= this.options.caps.depth)
      this.fail(`The document is nested deeper than ${this.options.caps.depth} levels`)
    this.options.onOpen?.(
      this.path.slice(0, depth).map((step, i) => (this.lists[i] ? '*' : step)),
      isList,
    )
    this.lists.push(isList)
    this.isInnermost = isList
    this.counts.push(0)
    this.path.length = depth + 1
    this.path[depth] = isList ? '0' : ''
    this.expected = isList ? 'first value' : 'first name'
  }

  private close(isList: boolean) {
    if (this.lists.at(-1) !== isList) this.fail(`"${isList ? ']' : '}'}" closes what is not open`)
    const isDone = this.expected === 'comma' || this.expected.startsWith('first')
    if (!isDone && !this.isWithin()) this.fail(`"${isList ? ']' : '}'}" comes too early`)
    if (this.memberLists.at(-1)?.depth === this.lists.length) this.memberLists.pop()
    if (this.expected.startsWith('first')) this.closeEmpty(isList)
    if (this.isInnermost) this.countPoint()
    this.lists.pop()
    this.counts.pop()
    this.path.length = this.lists.length
    this.options.onClose?.()
    this.endValue(this.i + 1)
  }

  private countPoint() {
    this.isInnermost = false
    const depth = this.lists.length
    for (const capture of this.captures) if (depth > capture.depth + levelsOfRings) capture.points += 1
  }

  /** Reports the selectors whose members could have been in an empty list or object. */
  private closeEmpty(isList: boolean) {
    const { selectors, onEmpty, takesMembers } = this.options
    if (!onEmpty) return
    const depth = this.lists.length - 1
    for (const [i, steps] of selectors.entries()) {
      const isWhole = steps.length === depth && isList && takesMembers
      if ((isWhole || steps[depth] === '*') && isSelected(steps.slice(0, depth), this.path, depth)) onEmpty(i)
    }
    const capture = this.captures.at(-1)
    if (capture?.mayBeMembers && capture.depth === depth) this.captures.pop()
  }

  private comma() {
    if (this.expected !== 'comma' && !this.isWithin()) this.fail('A comma stands where none may')
    const depth = this.lists.length
    if (!this.lists.at(-1)) this.expected = 'name'
    else {
      this.expected = 'value'
      const count = (this.counts[depth - 1] ?? 0) + 1
      this.counts[depth - 1] = count
      if (depth <= this.deepest) this.path[depth - 1] = String(count)
    }
  }

  private colon() {
    if (this.expected !== 'colon' && !this.isWithin()) this.fail('A colon stands where none may')
    this.expected = 'value'
  }

  /** Whether a syntax error is inside a captured value, and is reported when that is parsed. */
  private isWithin(): boolean {
    return this.captures.length > 0 && this.lists.length > 0
  }

  private beginValue(kind: 'list' | 'object' | 'plain' = 'plain') {
    const { expected } = this
    if (expected === 'nothing') this.fail('There is more after the end of the document: is it NDJSON?')
    if (expected !== 'value' && expected !== 'first value' && !this.isWithin())
      this.fail(
        expected === 'comma' ? 'A comma is missing' : `A ${expected.replace('first ', '')} is missing`,
      )
    const depth = this.lists.length
    if (kind === 'object' && expected === 'first value') this.captureItems(depth)
    const selector = this.selectorAt(depth)
    if (selector < 0) return
    const isMeant = this.options.takesMembers && kind === 'list'
    const mayBeMembers = Boolean(isMeant && this.options.selectors[selector]?.at(-1) !== '*')
    const { i: start, line } = this
    this.captures.push({ selector, start, line, depth, isLong: false, points: 0, head: '', mayBeMembers })
  }

  /** Returns the index of the selector that matches the value at a depth; -1: none. */
  private selectorAt(depth: number): number {
    const { selectors } = this.options
    const index =
      depth > this.deepest ? -1 : selectors.findIndex((steps) => isSelected(steps, this.path, depth))
    const list = this.memberLists.at(-1)
    return index < 0 && list?.depth === depth ? list.selector : index
  }

  /** If the first item of a captured list is an object, captures the items instead of the list. */
  private captureItems(depth: number) {
    const capture = this.captures.at(-1)
    if (!capture?.mayBeMembers || capture.depth !== depth - 1) return
    this.captures.pop()
    this.memberLists.push({ selector: capture.selector, depth })
  }

  private endValue(end: number) {
    const depth = this.lists.length
    this.expected = depth ? 'comma' : 'nothing'
    const capture = this.captures.at(-1)
    if (capture?.depth !== depth) return
    this.captures.pop()
    const { selector, start, line, isLong, points, head } = capture
    const next = capture.bad ?? badFrom(this.bad, start)
    const bad = next && (next === capture.bad || next.at < end) ? next : undefined
    const text = isLong ? head : head + this.text.slice(start, end)
    this.options.onValue({ selector, text, line, isLong, points, ...(bad && { bad }) })
  }

  /** Keeps the parts of captured values and of a token that continue in the next chunk. */
  private retainParts() {
    const { row } = this.options.caps
    for (const capture of this.captures) {
      if (!capture.isLong) capture.head += this.text.slice(capture.start)
      capture.start = 0
      if (capture.isLong || capture.head.length <= row) continue
      capture.isLong = true
      capture.head = copyBeginning(capture.head, 1000)
    }
    if (this.tokenStart < 0) return
    this.tokenHead += this.text.slice(this.tokenStart)
    this.tokenStart = 0
    if (this.tokenHead.length > row) this.fail(`A value is longer than ${formatByteCount(row)}`)
  }

  private fail(message: string): never {
    throw new UnreadableError(`${message} (line ${this.line}, column ${this.i - this.lineStart + 1}).`)
  }
}
