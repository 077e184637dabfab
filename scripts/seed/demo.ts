import { readWhole, writeFileAtomic } from '../atomic-file.ts'

/** The content of the demo, for people and for programs; stored beside its data. */
export interface Demo {
  accounts: { role: string; email: string; password: string; key: string | null; placeId: string | null }[]
  places: { id: string; host: string; hosts: string[]; isHub: boolean }[]
}

/** Reads the demo; null before it is seeded. */
export function findDemo(file: string): Demo | null {
  return readWhole<Demo>(file)
}

/** As `findDemo`, but it must exist. */
export function readDemo(file: string): Demo {
  const demo = findDemo(file)
  if (!demo) throw new Error(`${file} is missing: start once with --fresh.`)
  return demo
}

export function writeDemo(file: string, demo: Demo): void {
  writeFileAtomic(file, `${JSON.stringify(demo, null, 2)}\n`, 0o600)
}
