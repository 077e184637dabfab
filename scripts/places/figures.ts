import type { FigureReporter } from '../figures-proof.ts'

/** Three browsers, five hubs, four looks of a window and two maps each; of every map a still and a live picture. */
const whole = { pictures: 240, live: 120 }

interface PlacesResult {
  /** What `scripts/walks/places.walk.ts` counted. */
  counts: Record<string, number>
  /** The hubs of `--only`; '' for all of them. */
  only: string
  /** For each browser that is not installed, what to install. */
  missing: readonly string[]
}

/** Reports what was seen of the maps of hubs: all pictures of a whole run, at least one of some hubs. */
export function reportPlaces(reporter: FigureReporter, { counts, only, missing }: PlacesResult): void {
  const { pictures, live } = only === '' ? whole : { pictures: 1, live: 1 }
  for (const message of missing) reporter.log(`  ${message}`)
  reporter.most('browsers that were not looked at', missing.length, 0, 'browsers')
  reporter.least('pictures of the maps of hubs, still and live', counts.pictures ?? 0, pictures, 'pictures')
  reporter.least('of them of maps that live', counts.live ?? 0, live, 'pictures')
  reporter.most('false in them', counts.faults ?? Infinity, 0, 'faults')
}
