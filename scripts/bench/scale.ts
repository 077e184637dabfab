import type { Server } from './server.ts'

/**
 * The parameters of an area that needs no records: the size of the run, expressed in records, and a server
 * for databases.
 */
export interface Scale {
  rows: number
  server: Server
}

/** The number of records from which areas have the size that their goals are stated for. */
const millionRows = 1_000_000

const clampAndRound = (least: number, value: number, most: number) =>
  Math.round(Math.min(most, Math.max(least, value)))

/**
 * The number of pages of the rendered hub: 1,000 from a million records on, at least 40, so that each change
 * affects another page.
 */
export const pageCount = (rows: number) => clampAndRound(40, (1000 * rows) / millionRows, 1000)

/** The numbers of hubs in the store while pages are requested: up to 10,000 from a million records on. */
export function hubCounts(rows: number): number[] {
  const most = clampAndRound(100, (10_000 * rows) / millionRows, 10_000)
  return [1, 10, 100, 1000, 10_000].filter((count) => count <= most)
}

/** How often a page is measured in the browser: 5 times from a million records on, else once. */
export const runCount = (rows: number) => (rows >= millionRows ? 5 : 1)
