import { parserByEnding, parsers, type ParserName } from '#functions/shapes/parser/index.ts'
import type { Parser } from '#functions/shapes/parser/parser.ts'
import { suggestHeaderRows, parseHeaderRows } from './head-rows.ts'
import { betterLeaveOut, parseLeaveOut } from './leave-out.ts'
import type { TrialResult } from './trial.ts'

/** The format by a file's extension; CSV if unknown. */
export function parserOfName(name: string): ParserName {
  return parserOfEnding(getFileEnding(name)) ?? 'csv'
}

/** The format of an ending; that of old workbooks (.xls) is Excel, whose reader says how to save them. */
const parserOfEnding = (ending: string): ParserName | undefined =>
  ending === 'xls' ? 'excel' : parserByEnding.get(ending)

/** The format of a URL: by its path, then by a query value (`?format=geojson`), else CSV. */
export function parserOfUrl(address: string): ParserName {
  try {
    const url = new URL(address)
    const words = [
      getFileEnding(url.pathname),
      ...[...url.searchParams.values()].map((value) => value.toLowerCase()),
    ]
    const parser = words.map(parserOfEnding).find((parser) => parser !== undefined)
    return parser ?? 'csv'
  } catch {
    return 'csv'
  }
}

const getFileEnding = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** The text if it is a format; else undefined. */
export function parserNamed(text: string | null | undefined): ParserName | undefined {
  return text && Object.hasOwn(parsers, text) ? (text as ParserName) : undefined
}

/** The label of a format; its key if unknown. */
export const parserName = (parser: string): string =>
  Object.hasOwn(parsers, parser) ? parsers[parser as ParserName].label : parser

/** The formats as options of a select. */
export const parserOptions = Object.entries(parsers).map(([value, { label }]) => ({ value, label }))

/** Whether a format has an option, and whether it is required. */
export function takesOption(parser: string, option: string): 'no' | 'optional' | 'required' {
  const name = parserNamed(parser)
  const { options, required = [] }: Pick<Parser, 'options' | 'required'> = name
    ? parsers[name]
    : { options: [] }
  const hasOption = (names: readonly string[]) => names.includes(option)
  return hasOption(required) ? 'required' : hasOption(options) ? 'optional' : 'no'
}

/** Whether a format takes a selector for its rows. */
export const takesSelector = (parser: ParserName) => takesOption(parser, 'selector') !== 'no'

/** Selector, header and left-out rows of a source; '' without a choice. `zip`: 'yes' for an archive of such files, the name of one to read only this. */
export interface SourceReadSettings {
  zip: string
  selector: string
  headerRows: string
  leaveOut: string
}

/** Without a choice. */
export const unsaid: SourceReadSettings = { zip: '', selector: '', headerRows: '', leaveOut: '' }

/** A format, and how it is read. */
export interface Reading extends SourceReadSettings {
  parser: ParserName
}

/** A source with those options of `at` that its format has. Where a selector is required, the default selects all members of the root. */
export function buildImporterSource(url: string, parser: ParserName, at: Partial<SourceReadSettings>) {
  const { zip = '', selector = '', headerRows = '', leaveOut = '' } = at
  const isRequired = takesOption(parser, 'selector') === 'required'
  const chosenSelector = takesSelector(parser) ? selector || (isRequired ? '*' : '') : ''
  const head = takesOption(parser, 'headerRows') === 'no' ? null : parseHeaderRows(headerRows)
  const out = takesOption(parser, 'leaveOut') === 'no' ? null : parseLeaveOut(leaveOut)
  const parserOptions = {
    ...(zip && takesOption(parser, 'zip') !== 'no' && { zip: true, ...(zip !== 'yes' && { file: zip }) }),
    ...(chosenSelector && { selector: chosenSelector }),
    ...(head && { headerRows: head }),
    ...(out?.leaveOut.length && { leaveOut: out.leaveOut }),
    ...(out?.leaveOut.length && out.takeIn.length && { takeIn: out.takeIn }),
  }
  return { url, parser, ...(Object.keys(parserOptions).length > 0 && { parserOptions }) }
}

/**
 * Tries a reading, and again with what the trial shows to be better: first another format, for an archive of other files, then rows
 * and header. Gives the last trial that is not worse than the one before. `toTrialResult`: the trial's result; null if it failed.
 */
export async function tryBetter<Tried>(
  reading: Reading,
  attempt: (reading: Reading) => Promise<Tried>,
  toTrialResult: (outcome: Tried) => TrialResult | null,
): Promise<{ tried: Tried; reading: Reading }> {
  let best = { tried: await attempt(reading), reading }
  for (const better of [betterFormat, suggestReadSettings]) {
    const trial = toTrialResult(best.tried)
    const next = trial && better(best.reading, trial)
    if (!next) continue
    const outcome = await attempt(next)
    const result = toTrialResult(outcome)
    if (result && isBetter(result, trial, better === betterFormat)) best = { tried: outcome, reading: next }
  }
  return best
}

/** Whether a trial shows more than the one before: where lists or a grid were shown, any row is enough. */
function isBetter(next: TrialResult, before: TrialResult, isOtherFormat: boolean): boolean {
  const isShown = before.lists.length > 0 || before.grids.some((grid) => grid !== null)
  if (isOtherFormat || isShown) return next.rows.length > 0
  return next.rows.length > before.rows.length
}

/** The format in which an archive can be read, the given one if its files have it; null if it is read so, or is no archive. */
function betterFormat({ parser, zip }: Reading, { archives }: Pick<TrialResult, 'archives'>): Reading | null {
  const formats = archives.length === 1 ? (archives[0] ?? []) : []
  const isZip = zip !== ''
  if (formats.some((each) => each.parser === parser && each.zip === isZip)) return null
  const best = formats.find((each) => each.parser === parser) ?? formats[0]
  return best ? { ...unsaid, parser: best.parser, zip: best.zip ? 'yes' : '' } : null
}

/** The detected options for those without a choice; null if they equal the tried ones. */
function suggestReadSettings(reading: Reading, trial: TrialResult): Reading | null {
  const better = {
    selector: betterSelector(reading.selector, trial),
    headerRows: suggestHeaderRows(reading.headerRows, trial),
    leaveOut: betterLeaveOut(reading.leaveOut, trial),
  }
  if (Object.values(better).every((each) => each === null)) return null
  return {
    ...reading,
    selector: better.selector ?? reading.selector,
    headerRows: better.headerRows ?? reading.headerRows,
    leaveOut: better.leaveOut ?? reading.leaveOut,
  }
}

/**
 * The detected selector for a file tried without one: in JSON its best list, in a workbook its best sheet or table, else the first one
 * if no rows were found. Null if it was tried already, or unknown.
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
