import { NothingSelectedError } from '../row.ts'
import { JsonPlaces, type JsonList } from './json-rows.ts'
import type { CapturedValue } from './json-scan.ts'
import { selectorText, parseSelector } from './selector.ts'
import { lookedAt } from './selectors.ts'

/** Maximum number of lists and names in a message. */
const maxSaid = 5

/**
 * Tracks what the selectors find in a JSON document and, until an object is found, what else the document
 * has.
 */
export class JsonSearch {
  readonly steps: string[][]
  private tracker = new JsonPlaces()
  private hits = new Set<number>()
  private empty = new Set<number>()
  private hasObject = false
  private size = 0

  constructor(private selectors: string[]) {
    this.steps = selectors.map(parseSelector)
  }

  /** Callbacks for a scanner. */
  get places() {
    return this.tracker.callbacks
  }

  /**
   * Records a selected value. True for the first object: from then on the rest of the document is irrelevant.
   */
  find({ selector, text }: Pick<CapturedValue, 'selector' | 'text'>): boolean {
    // Some servers send null for a missing list.
    const isNothing = text === 'null' && this.steps[selector]?.at(-1) !== '*'
    if (!isNothing) this.hits.add(selector)
    const isFirst = !this.hasObject && text.startsWith('{')
    this.hasObject ||= isFirst
    return isFirst
  }

  /**
   * Counts characters. True once, when the limit of what is inspected is exceeded: keys of longer documents
   * are not kept.
   */
  isOver(characters: number): boolean {
    const before = this.size
    this.size += characters
    return before <= lookedAt && this.size > lookedAt
  }

  /** The part of the document that was inspected for other lists. */
  private get within(): string {
    return this.size > lookedAt ? 'the beginning of the file' : 'the file'
  }

  /** Records that a selector leads to an empty list. */
  findEmpty(selector: number) {
    this.empty.add(selector)
  }

  /**
   * Returns the message at the end of the document; null for none. Throws NothingSelectedError if no selector led
   * to a list or an object.
   */
  end(): string | null {
    const lists = this.hasObject ? [] : this.listsElsewhere()
    if (this.hits.size > 0)
      return this.hasObject || !lists.length
        ? this.describeUnmatched()
        : `What is at ${quoted(this.selectors)} are no objects. ${this.describeLists(lists)}`
    if (this.empty.size > 0) {
      const emptyOnes = [...this.empty].flatMap((i) => this.selectors[i] ?? [])
      return `The list at ${quoted(emptyOnes)} is empty: there are no rows.`
    }
    throw new NothingSelectedError(this.describeMissing(lists))
  }

  /** The message about those of several selectors that found nothing while others did. */
  private describeUnmatched(): string | null {
    const without = this.selectors.filter((_, i) => !this.hits.has(i) && !this.empty.has(i))
    return without.length ? `There is no list at ${quoted(without)}.` : null
  }

  /** Lists of objects elsewhere in the document, best first. */
  private listsElsewhere(): JsonList[] {
    return this.tracker.listsSoFar().filter(({ selector }) => selector.endsWith('*'))
  }

  private describeMissing(lists: JsonList[]): string {
    const where = `There is no list at ${quoted(this.selectors)}`
    const [steps = []] = this.steps
    const at = this.steps.length === 1 ? this.describePathEnd(steps) : ''
    if (lists.length) return `${where}${at}. ${this.describeLists(lists)}`
    const names = this.tracker.namesAt([])
    return `${where}${at}, and none elsewhere in ${this.within}: it has ${names ? listNames(names) : 'nothing in it'}.`
  }

  /** Describes the value at the path, or where the path ends; '' if its first key does not exist. */
  private describePathEnd(steps: string[]): string {
    for (let depth = steps.length - 1; depth >= 0; depth--) {
      const names = this.tracker.namesAt(steps.slice(0, depth))
      if (names === null) continue
      if (names.includes(steps[depth] ?? ''))
        return `: what stands at “${selectorText(steps.slice(0, depth + 1))}” is none`
      return depth > 0 ? `: “${selectorText(steps.slice(0, depth))}” has ${listNames(names)}` : ''
    }
    return ''
  }

  private describeLists(lists: JsonList[]): string {
    const places = lists.slice(0, maxSaid).map(({ selector, rows }) => {
      return `“${selector}” (${rows === 1 ? '1 record' : `${rows} records`})`
    })
    const more = lists.length > maxSaid ? ` and ${lists.length - maxSaid} more places` : ''
    const within = this.within.replace(/^t/, 'T')
    return `${within} has lists at ${places.join(', ')}${more}.`
  }
}

const quoted = (selectors: string[]) => selectors.map((selector) => `“${selector}”`).join(', ')

const listNames = (names: string[]) =>
  names.length === 0
    ? 'nothing in it'
    : names.length > maxSaid
      ? `${names.slice(0, maxSaid).join(', ')} and ${names.length - maxSaid} more`
      : names.join(', ')
