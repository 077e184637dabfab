import type { LanguageFunction } from '../types.ts'
import { aggregations } from './aggregations.ts'
import { arrays } from './arrays.ts'
import { comparisons } from './comparisons.ts'
import { geospatial } from './geospatial.ts'
import { math } from './math.ts'
import { time } from './time.ts'

/** All functions of the language, by category. */
export const functions: readonly LanguageFunction[] = [
  ...arrays,
  ...aggregations,
  ...math,
  ...comparisons,
  ...time,
  ...geospatial,
]

/** The functions by key. A map, so that no inherited name such as `constructor` is taken for one. */
export const functionsByKey: ReadonlyMap<string, LanguageFunction> = new Map(
  functions.map((each) => [each.key, each]),
)
