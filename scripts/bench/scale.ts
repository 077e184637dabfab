import type { Server } from './server.ts'

/** What an area that needs no records is given: how large the run is, said in records, and a server for databases. */
export interface Scale {
  rows: number
  server: Server
}

/** The size at which areas are as large as what is promised of them. */
const millionRows = 1_000_000

const between = (least: number, value: number, most: number) =>
  Math.round(Math.min(most, Math.max(least, value)))

/** How many pages the hub has that is rendered: 1,000 from a million records on, at least 40, so that each change is of another page. */
export const pageCount = (rows: number) => between(40, (1000 * rows) / millionRows, 1000)

/** With how many hubs in the store pages are asked for: up to 10,000 from a million records on. */
export function hubCounts(rows: number): number[] {
  const most = between(100, (10_000 * rows) / millionRows, 10_000)
  return [1, 10, 100, 1000, 10_000].filter((count) => count <= most)
}

/** How often a page is measured in the browser: 5 times from a million records on, else once. */
export const runCount = (rows: number) => (rows >= millionRows ? 5 : 1)
