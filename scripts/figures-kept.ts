import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A figure that the project promises, as it was measured. Kept when it is at most (or at least) what was promised. */
export interface Promised {
  figure: string
  measured: number
  bound: number
  /** 'most': not above the bound. 'least': not below it. */
  is: 'most' | 'least'
  unit: string
}

export const isKept = ({ measured, bound, is }: Promised) =>
  is === 'most' ? measured <= bound : measured >= bound

let hash = ''

/** Names the state of all that figures are measured of: what was measured of another state counts for nothing. */
export function sourcesHash(): string {
  if (hash) return hash
  const digest = createHash('sha256')
  const add = (path: string) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) add(join(path, name))
    else digest.update(path).update(readFileSync(path))
  }
  for (const path of ['app', 'db', 'functions', 'scripts', 'package-lock.json']) add(path)
  hash = digest.digest('hex').slice(0, 12)
  return hash
}

const fileOf = (suite: string) => `.cache/figures/${sourcesHash()}/${suite}.json`

/** The figures of a suite that was run to its end on the same sources; null when it was not. */
export function keptFigures(suite: string): Promised[] | null {
  try {
    return JSON.parse(readFileSync(fileOf(suite), 'utf8')) as Promised[]
  } catch {
    return null
  }
}

export function keepFigures(suite: string, promises: Promised[]): void {
  mkdirSync(join(fileOf(suite), '..'), { recursive: true })
  writeFileSync(fileOf(suite), JSON.stringify(promises))
}
