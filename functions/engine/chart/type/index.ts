import type { VisualizationType } from '#functions/shapes/analytics.ts'
import { area } from './area.ts'
import { bar } from './bar.ts'
import { heatmap } from './heatmap.ts'
import { histogram } from './histogram.ts'
import { line } from './line.ts'
import { map } from './map.ts'
import { number } from './number.ts'
import { pie } from './pie.ts'
import { scatter } from './scatter.ts'
import { table } from './table.ts'
import { text } from './text.ts'
import type { ChartType } from './type.ts'

/** The chart types, without their rendering: choosing one in a browser needs no more. */
export const chartTypes: Record<VisualizationType, ChartType> = {
  number,
  line,
  bar,
  area,
  pie,
  scatter,
  heatmap,
  histogram,
  table,
  map,
  text,
}
