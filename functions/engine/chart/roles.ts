import { findDatePart, hasNames } from '#functions/shapes/field.ts'
import type { Output, OutputField, Visualization } from '#functions/shapes/analytics.ts'
import { chartTypes } from './type/index.ts'
import type { Roles, Setting } from './type/type.ts'

export type { Roles }

/** Numeric codes distinguish things, as texts do. */
const isNumber = (field: OutputField | undefined): boolean => field?.type === 'number' && !hasNames(field)

const rank = (field: OutputField | undefined): number =>
  field?.type === 'date' ? 0 : findDatePart(field) !== undefined ? 1 : isNumber(field) ? 3 : 2

/** Aliases that lay an answer out, dates before text before numbers: its groupings, or all that is not measured. */
export function getDimensions(output: Output): string[] {
  const grouped = output.groupings.map((grouping) => grouping.alias).filter((alias) => alias in output.schema)
  const free = Object.keys(output.schema).filter((alias) => {
    const field = output.schema[alias]
    const type = field?.type
    return type === 'date' || type === 'text' || type === 'boolean' || (type === 'number' && !isNumber(field))
  })
  const rows = grouped.length > 0 ? grouped : free
  return [...rows].sort((a, b) => rank(output.schema[a]) - rank(output.schema[b]))
}

/** The measures of an answer, in its order: numbers that are neither groupings nor codes. */
export function getMeasures(output: Output): string[] {
  const grouped = new Set(output.groupings.map((grouping) => grouping.alias))
  return Object.entries(output.schema).flatMap(([alias, field]) =>
    isNumber(field) && field.identifier !== true && !grouped.has(alias) ? [alias] : [],
  )
}

/** Assigns columns to the parts of a chart: the configured ones, if they exist, otherwise the best match. */
export function assignRoles(visualization: Visualization, output: Output): Roles {
  const settings = visualization.settings ?? {}
  const getSetting = (part: Setting): string | undefined => {
    const alias = settings[part]
    return typeof alias === 'string' && alias in output.schema ? alias : undefined
  }
  const usedColumns = new Set(
    (['x', 'y', 'series', 'color', 'size'] as const).map(getSetting).filter((alias) => alias !== undefined),
  )
  const dimensions = getDimensions(output).filter((alias) => !usedColumns.has(alias))
  const measures = getMeasures(output).filter((alias) => !usedColumns.has(alias))
  const parts = { size: getSetting('size'), label: getSetting('label') }
  return { ...parts, ...chartTypes[visualization.type].assign({ output, getSetting, dimensions, measures }) }
}
