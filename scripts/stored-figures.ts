import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A promised figure, as it was measured. The promise is kept when it is at most (or at least) the bound. */
export interface PromisedFigure {
  figure: string
  measured: number
  bound: number
  /** 'most': must not exceed the bound. 'least': must not be below it. */
  is: 'most' | 'least'
  unit: string
}

export const isKept = ({ measured, bound, is }: PromisedFigure) =>
  is === 'most' ? measured <= bound : measured >= bound

let hash = ''

/** Hashes the state of the sources that figures are measured of: figures of another state do not count. */
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

const getFilePath = (suite: string) => `.cache/figures/${sourcesHash()}/${suite}.json`

/** Reads the figures of a suite that was completed on the same sources; null when there are none. */
export function readStoredFigures(suite: string): PromisedFigure[] | null {
  try {
    return JSON.parse(readFileSync(getFilePath(suite), 'utf8')) as PromisedFigure[]
  } catch {
    return null
  }
}

export function storeFigures(suite: string, promises: PromisedFigure[]): void {
  mkdirSync(join(getFilePath(suite), '..'), { recursive: true })
  writeFileSync(getFilePath(suite), JSON.stringify(promises))
}
