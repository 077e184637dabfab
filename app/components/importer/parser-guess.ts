import { parserByEnding, parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import type { Parser } from '#functions/shapes/parser/parser.ts'
import { betterHeaderRows, headerRowsIn } from './head-rows.ts'
import { betterLeaveOut, leaveOutIn } from './leave-out.ts'
import type { TrialResult } from './tried.ts'

/** Gives the format that the ending of a file's name says; CSV where it says nothing that is known. */
export function parserOfName(name: string): ParserName {
  return parserByEnding.get(endingOf(name)) ?? 'csv'
}

/** Gives the format that an address says: by its path, then by a value of its query (`?format=geojson`), else CSV. */
export function parserOfUrl(address: string): ParserName {
  try {
    const url = new URL(address)
    const words = [
      endingOf(url.pathname),
      ...[...url.searchParams.values()].map((value) => value.toLowerCase()),
    ]
    const parser = words.map((word) => parserByEnding.get(word)).find((parser) => parser !== undefined)
    return parser ?? 'csv'
  } catch {
    return 'csv'
  }
}

const endingOf = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** The text, if it names a format; else undefined. */
export function parserNamed(text: string | null | undefined): ParserName | undefined {
  return text && Object.hasOwn(parsers, text) ? (text as ParserName) : undefined
}

/** What a format is called; one that is not known by its own name. */
export const parserName = (parser: string): string =>
  Object.hasOwn(parsers, parser) ? parsers[parser as ParserName].label : parser

/** The formats as choices of a form. */
export const parserOptions = Object.entries(parsers).map(([value, { label }]) => ({ value, label }))

/** Whether a format has an option of this name, and whether it can do without. */
export function takesOption(parser: string, option: string): 'no' | 'optional' | 'required' {
  const name = parserNamed(parser)
  const { options, required = [] }: Pick<Parser, 'options' | 'required'> = name
    ? parsers[name]
    : { options: [] }
  const isOf = (names: readonly string[]) => names.includes(option)
  return isOf(required) ? 'required' : isOf(options) ? 'optional' : 'no'
}

/** Whether the rows of a format are found by a selector. */
export const takesSelector = (parser: ParserName) => takesOption(parser, 'selector') !== 'no'

/** Where the rows of a source are, which of them are its header, and which are left out; '' where nobody said. */
export interface ReadAt {
  selector: string
  headerRows: string
  leaveOut: string
}

/** How a source is said: with what of `at` its format has. A format that needs a selector takes every member of the whole. */
export function sourceOf(url: string, parser: ParserName, at: Partial<ReadAt>) {
  const { selector = '', headerRows = '', leaveOut = '' } = at
  const isRequired = takesOption(parser, 'selector') === 'required'
  const chosenSelector = takesSelector(parser) ? selector || (isRequired ? '*' : '') : ''
  const head = takesOption(parser, 'headerRows') === 'no' ? null : headerRowsIn(headerRows)
  const out = takesOption(parser, 'leaveOut') === 'no' ? null : leaveOutIn(leaveOut)
  const parserOptions = {
    ...(chosenSelector && { selector: chosenSelector }),
    ...(head && { headerRows: head }),
    ...(out?.leaveOut.length && { leaveOut: out.leaveOut }),
    ...(out?.leaveOut.length && out.takeIn.length && { takeIn: out.takeIn }),
  }
  return { url, parser, ...(Object.keys(parserOptions).length > 0 && { parserOptions }) }
}

/** Where the rows, the header and what is left out seem to be, where nobody said; null where that is what was tried. */
export function betterReadAt(at: ReadAt, trial: TrialResult): ReadAt | null {
  const better = {
    selector: betterSelector(at.selector, trial),
    headerRows: betterHeaderRows(at.headerRows, trial),
    leaveOut: betterLeaveOut(at.leaveOut, trial),
  }
  if (Object.values(better).every((each) => each === null)) return null
  return {
    selector: better.selector ?? at.selector,
    headerRows: better.headerRows ?? at.headerRows,
    leaveOut: better.leaveOut ?? at.leaveOut,
  }
}

/**
 * Where the rows of a file seem to be that was tried without saying where: in JSON its best list, in a workbook its best sheet or table,
 * elsewhere the first selector where nothing was found at first. Null where that is what was tried, or nothing is known.
 */
export function betterSelector(
  selector: string,
  { lists, selectors, rows }: Pick<TrialResult, 'lists' | 'selectors' | 'rows'>,
): string | null {
  if (selector !== '') return null
  const [list] = lists
  const isPlace = list?.isHidden !== undefined || list?.selector.endsWith('*')
  const best = isPlace ? list?.selector : undefined
  const first = best ?? (rows.length <= 1 ? selectors[0] : undefined)
  return first === undefined || first === '*' ? null : first
}
