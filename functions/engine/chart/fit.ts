import {
  mapSettingNames,
  type Output,
  type Visualization,
  type VisualizationType,
} from '#functions/shapes/analytics.ts'
import { getPhrases } from './phrases.ts'
import { assignRoles, type Roles } from './roles.ts'
import { chartTypes } from './type/index.ts'

/** Why a visualization does not suit an answer: the setting, null for the type itself, and the reason. */
interface Misfit {
  setting: string | null
  why: string
}

/** Settings that name no column of the answer. */
const plain = new Set<string>(['boundarySetId', 'unit', 'stacked', ...mapSettingNames])

/** Why an answer does not suit a visualization; null when it does. Depends on columns only, never on rows. */
export function findMisfit(visualization: Visualization, output: Output, locale = 'en'): Misfit | null {
  const { misfit } = getPhrases(locale)
  for (const [setting, alias] of Object.entries(visualization.settings ?? {})) {
    if (plain.has(setting) || typeof alias !== 'string' || Object.hasOwn(output.schema, alias)) continue
    return { setting, why: misfit.noColumn(alias) }
  }
  const { type } = visualization
  const { mostGroupings, findLack } = chartTypes[type]
  const parts = assignRoles(visualization, output)
  const need = findLack({ visualization, output, parts })
  if (need !== null) return { setting: null, why: misfit.needs(type, need) }
  if (mostGroupings === null || isShown(visualization, output, parts, mostGroupings)) return null
  return { setting: null, why: misfit.groupings(type, mostGroupings, output.groupings.length) }
}

/** Whether every grouping of an answer is shown, with `most` places for groupings. */
function isShown({ settings }: Visualization, output: Output, parts: Roles, most: number): boolean {
  if (output.groupings.length > most) return false
  const usedColumns = [parts.x, parts.y, parts.series, parts.color, settings?.label]
  return output.groupings.every(({ alias }) => !(alias in output.schema) || usedColumns.includes(alias))
}

/**
 * Chooses how an answer is drawn: by its visualization if that suits, otherwise as bars, a number or a table, whichever
 * is most informative, with the reason in the language of the locale.
 */
export function fitVisualization(
  visualization: Visualization,
  output: Output,
  locale = 'en',
): { visualization: Visualization; why: string | null } {
  const misfit = findMisfit(visualization, output, locale)
  const { asBars, asNumber, asTable } = getPhrases(locale).misfit
  if (!misfit) return { visualization, why: null }
  const unit = visualization.settings?.unit
  const settings = unit === undefined ? undefined : { settings: { unit } }
  // Without settings for missing columns it may suit after all
  const own = { type: visualization.type, ...settings }
  if (misfit.setting !== null && findMisfit(own, output) === null)
    return { visualization: own, why: misfit.why }
  const bars: Visualization = { type: 'bar', ...settings }
  const isOne = output.aggregations.length > 0 && output.groupings.length === 0
  if (findMisfit(bars, output) === null && output.groupings.length > 0)
    return { visualization: bars, why: `${misfit.why} ${asBars}` }
  if (isOne && output.aggregations.length === 1)
    return { visualization: { type: 'number', ...settings }, why: `${misfit.why} ${asNumber}` }
  return { visualization: { type: 'table' }, why: `${misfit.why} ${asTable}` }
}

/** The most informative visualization of an answer without a requested one. */
export function chooseVisualization(output: Output): Visualization {
  if (output.aggregations.length > 0 && output.groupings.length === 0) return { type: 'number' }
  const types: VisualizationType[] = ['line', 'bar', 'map']
  const type = types.find((one) => output.groupings.length > 0 && findMisfit({ type: one }, output) === null)
  return { type: type ?? 'table' }
}
