import { createContext } from 'react'
import type { InsightChoice } from './insight-picker.tsx'

/** The insights whose values can be put into the texts of a page. */
export interface FigureChoices {
  placeId: string
  insights: InsightChoice[]
}

/** Null where texts show no figures. */
export const FigureChoicesContext = createContext<FigureChoices | null>(null)
