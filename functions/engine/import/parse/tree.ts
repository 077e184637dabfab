import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { isSelected, selectorText, parseSelector } from './selector.ts'

/** A value of XML: text, or an object of attributes under `$`, text under `_` and children by name. */
export type TreeValue = string | { [name: string]: TreeValue | TreeValue[] | Record<string, string> }

interface Node {
  name: string
  line: number
  attributes: Record<string, string>
  texts: string[]
  children: [name: string, value: TreeValue][]
  isRow: boolean
}

interface TreeOptions {
  /** The paths of elements that are rows: names from the root, `*` for any. */
  rows: string[][]
  /** The name of elements that are rows at any depth. */
  rowName?: string
  caps: Pick<ReadLimits, 'row' | 'depth' | 'members'>
  onRow(value: TreeValue, line: number, isLong: boolean): void
  /** Called when an element opens, with its path from the root and whether it has attributes. */
  onOpen?(path: string[], hasAttributes: boolean): void
}

/**
 * Converts the steps of a selector to element names: `items.item.*` is each `item` (one or many), `root.*`
 * each child of the root, as there is only one root.
 */
export function elementSteps(steps: string[]): string[] {
  const names: string[] = []
  let wasName = false
  for (const [i, step] of steps.entries()) {
    if (step === '*' && wasName) wasName = false
    else {
      names.push(step)
      wasName = step !== '*' && i > 0
    }
  }
  return names
}

/** Maximum number of paths that are recorded before the first row. */
const maxPaths = 1000

/** Builds objects from the elements that are rows; of all others it keeps only the paths. */
export class TreeBuilder {
  private path: string[] = []
  private nodes: Node[] = []
  private size = 0
  /** The number of elements, attributes and texts of the row. */
  private members = 0
  private hasRow = false
  /** Until the first row: the number of elements by path. */
  private pathCounts = new Map<string, number>()

  constructor(private options: TreeOptions) {}

  /** The line where the current row began; null outside of rows. */
  get rowLine(): number | null {
    return this.nodes[0]?.line ?? null
  }

  open(name: string, attributes: Record<string, string>, line: number) {
    const { caps, rows, onOpen } = this.options
    this.path.push(name)
    const depth = this.path.length
    if (depth > caps.depth)
      throw new UnreadableError(`The document is nested deeper than ${caps.depth} levels (line ${line}).`)
    onOpen?.(this.path, Object.keys(attributes).length > 0)
    const isRow = name === this.options.rowName || rows.some((steps) => isSelected(steps, this.path, depth))
    this.hasRow ||= isRow
    if (!this.hasRow) this.remember()
    if (!isRow && !this.nodes.length) return
    this.nodes.push({ name, line, attributes, texts: [], children: [], isRow })
    const pairs = Object.entries(attributes)
    for (const [key, value] of pairs) this.size += key.length + value.length
    this.members += 1 + pairs.length
    this.size += name.length
  }

  private remember() {
    const path = selectorText(this.path)
    const count = this.pathCounts.get(path) ?? 0
    if (count > 0 || this.pathCounts.size < maxPaths) this.pathCounts.set(path, count + 1)
  }

  /** Whether an element exists at the parent path of any row. */
  get isThereParent(): boolean {
    const parents = this.options.rows.map((steps) => steps.slice(0, -1))
    const paths = [...this.pathCounts.keys()].map(parseSelector)
    return parents.some((steps) => paths.some((path) => isSelected(steps, path, path.length)))
  }

  /** The paths of repeated elements with their numbers, most frequent first; a single element is no list. */
  get repeated(): [path: string, count: number][] {
    return [...this.pathCounts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)
  }

  private get isLong(): boolean {
    return this.size > this.options.caps.row || this.members > this.options.caps.members
  }

  text(text: string) {
    this.size += text.length
    this.members++
    if (!this.isLong) this.nodes.at(-1)?.texts.push(text)
  }

  close() {
    this.path.pop()
    const node = this.nodes.pop()
    if (!node) {
      this.size = this.members = 0
      return
    }
    const { isLong } = this
    const value = isLong ? '' : toTreeValue(node)
    if (!isLong) this.nodes.at(-1)?.children.push([node.name, value])
    if (node.isRow) this.options.onRow(value, node.line, isLong)
    if (!this.nodes.length) this.size = this.members = 0
  }
}

/** The message about a row that is too long. */
export const longRow = (caps: Pick<ReadLimits, 'row' | 'members'>) =>
  `The row is longer than ${formatByteCount(caps.row)}, or has more than ${caps.members} elements, attributes and texts.`

/** Trims the white space of XML (XML 1.0, 2.3): other characters, such as U+FEFF, are part of the text. */
function trim(text: string): string {
  const isSpace = (at: number) => /[ \t\r\n]/.test(text.charAt(at))
  let [from, to] = [0, text.length]
  while (from < to && isSpace(from)) from += 1
  while (to > from && isSpace(to - 1)) to -= 1
  return text.slice(from, to)
}

function toTreeValue({ attributes, texts, children }: Node): TreeValue {
  const text = trim(texts.join(''))
  const hasAttributes = Object.keys(attributes).length > 0
  if (!hasAttributes && !children.length) return text
  const members = new Map<string, TreeValue | TreeValue[]>()
  for (const [name, value] of children) {
    const before = members.get(name)
    if (before === undefined) members.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else members.set(name, [before, value])
  }
  // With fromEntries a name such as __proto__ is an ordinary member.
  return Object.fromEntries([
    ...(hasAttributes ? [['$', attributes] as const] : []),
    ...(text ? [['_', text] as const] : []),
    ...members,
  ])
}
