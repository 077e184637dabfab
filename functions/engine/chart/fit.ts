import type { Output, Visualization, VisualizationType } from '#functions/shapes/analytics.ts'
import { phrasesOf } from './phrases.ts'
import type { Need } from '#functions/shapes/language/phrases.ts'
import { roles } from './roles.ts'

/** What of a visualization does not suit an answer: the setting it is about, null for the type itself, and why. */
export interface Misfit {
  setting: string | null
  why: string
}

/** Settings that name no column of the answer. */
const plain = new Set(['boundarySetId', 'unit', 'stacked'])
const geometries = ['point', 'line', 'multiline', 'polygon', 'multipolygon', 'geometry']

/** Why an answer cannot be drawn as a visualization says; null when it can. Looks at columns, never at rows. */
export function misfitOf(visualization: Visualization, output: Output, locale = 'en'): Misfit | null {
  const { misfit } = phrasesOf(locale)
  for (const [setting, alias] of Object.entries(visualization.settings ?? {})) {
    if (plain.has(setting) || typeof alias !== 'string' || Object.hasOwn(output.schema, alias)) continue
    return { setting, why: misfit.noColumn(alias) }
  }
  const { type } = visualization
  const need = needOf(visualization, output)
  if (need !== null) return { setting: null, why: misfit.needs(type, need) }
  const most = type === 'pie' || type === 'histogram' ? 1 : 2
  if (isShown(visualization, output, most)) return null
  return { setting: null, why: misfit.groupings(type, most, output.groupings.length) }
}

/** Types that tell whatever groupings there are. */
const tellsAll = new Set<VisualizationType>(['number', 'table', 'text', 'map', 'scatter'])

/** What a type lacks in an answer; null for nothing. */
function needOf(visualization: Visualization, output: Output): Need | null {
  const { type } = visualization
  if (type === 'number' || type === 'table' || type === 'text') return null
  // The shares of some parts are not those of the whole.
  if (type === 'pie' && output.total !== undefined) return 'whole'
  if (type === 'pie' && isNoSum(output, roles(visualization, output).y)) return 'sums'
  if (type === 'map') return isPlaced(visualization, output) ? null : 'places'
  const parts = roles(visualization, output)
  const typeOf = (alias: string | undefined) => (alias === undefined ? undefined : output.schema[alias]?.type)
  const measure = type === 'heatmap' ? parts.color : type === 'histogram' ? (parts.y ?? parts.x) : parts.y
  if (type === 'scatter')
    return typeOf(parts.x) === 'number' && typeOf(parts.y) === 'number' ? null : 'twoNumbers'
  if (typeOf(measure) !== 'number') return 'number'
  if (type === 'heatmap' && (parts.x === undefined || parts.y === undefined)) return 'twoGroupings'
  const across = typeOf(parts.x)
  if (type === 'line' || type === 'area') {
    if (across !== 'date' && across !== 'number') return 'along'
  } else if (parts.x === undefined) return 'compared'
  return type === 'histogram' && across !== 'number' ? 'counted' : null
}

/** Whether an answer says that the values of a column may not be added up: they are no parts of a whole. */
function isNoSum({ aggregations }: Output, alias: string | undefined): boolean {
  const own = aggregations.find((each) => each.alias === alias)?.function
  return own !== undefined && own !== 'count' && own !== 'sum'
}

/** Whether every grouping of an answer has its place in the drawing, which has places for so many. */
function isShown(visualization: Visualization, output: Output, most: number): boolean {
  if (tellsAll.has(visualization.type)) return true
  if (output.groupings.length > most) return false
  const parts = roles(visualization, output)
  const used = [parts.x, parts.y, parts.series, parts.color, visualization.settings?.label]
  return output.groupings.every(({ alias }) => !(alias in output.schema) || used.includes(alias))
}

function isPlaced({ settings }: Visualization, { schema }: Output): boolean {
  if (settings?.region || (settings?.latitude && settings.longitude)) return true
  return Object.values(schema).some(({ type }) => geometries.includes(type ?? ''))
}

/**
 * How an answer is drawn: as its visualization says where that suits it, else as bars, one number or a table, whichever
 * tells most, with the sentence that says why in the language of the locale.
 */
export function fitVisualization(
  visualization: Visualization,
  output: Output,
  locale = 'en',
): { visualization: Visualization; why: string | null } {
  const misfit = misfitOf(visualization, output, locale)
  const { asBars, asNumber, asTable } = phrasesOf(locale).misfit
  if (!misfit) return { visualization, why: null }
  const unit = visualization.settings?.unit
  const settings = unit === undefined ? undefined : { settings: { unit } }
  // With the settings that name nothing left out it may suit after all
  const own = { type: visualization.type, ...settings }
  if (misfit.setting !== null && misfitOf(own, output) === null)
    return { visualization: own, why: misfit.why }
  const bars: Visualization = { type: 'bar', ...settings }
  const isOne = output.aggregations.length > 0 && output.groupings.length === 0
  if (misfitOf(bars, output) === null && output.groupings.length > 0)
    return { visualization: bars, why: `${misfit.why} ${asBars}` }
  if (isOne && output.aggregations.length === 1)
    return { visualization: { type: 'number', ...settings }, why: `${misfit.why} ${asNumber}` }
  return { visualization: { type: 'table' }, why: `${misfit.why} ${asTable}` }
}

/** The visualization that tells most of an answer whose asker named none. */
export function chooseVisualization(output: Output): Visualization {
  if (output.aggregations.length > 0 && output.groupings.length === 0) return { type: 'number' }
  const types: VisualizationType[] = ['line', 'bar', 'map']
  const type = types.find((one) => output.groupings.length > 0 && misfitOf({ type: one }, output) === null)
  return { type: type ?? 'table' }
}
