import { createContext } from 'react'
import type { InsightChoice } from './insight-picker.tsx'

/** The insights whose values can be inserted into texts of a page. */
export interface FigureChoices {
  placeId: string
  insights: InsightChoice[]
}

/** Null where texts have no figures. */
export const FigureChoicesContext = createContext<FigureChoices | null>(null)
