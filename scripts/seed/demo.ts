import { readWhole, writeWhole } from '../whole-file.ts'

/** What the demo holds, for people and for programs: written beside the data it belongs to. */
export interface Demo {
  accounts: { role: string; email: string; password: string; key: string | null; placeId: string | null }[]
  places: { id: string; host: string; hosts: string[]; isHub: boolean }[]
}

/** The demo that was seeded; null before that. */
export function findDemo(file: string): Demo | null {
  return readWhole<Demo>(file)
}

/** As `findDemo`, where it must be there. */
export function readDemo(file: string): Demo {
  const demo = findDemo(file)
  if (!demo) throw new Error(`${file} is missing: start once with --fresh.`)
  return demo
}

export function writeDemo(file: string, demo: Demo): void {
  writeWhole(file, `${JSON.stringify(demo, null, 2)}\n`, 0o600)
}
