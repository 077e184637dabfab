import { existsSync } from 'node:fs'
import { chromiumEngine } from './chromium.ts'
import type { Engine, EngineName } from './engine.ts'
import { firefoxEngine, firefoxPath } from './firefox.ts'
import { screenPath, webkitEngine, webkitPath } from './webkit.ts'

const others = [
  {
    name: 'firefox',
    open: firefoxEngine,
    needs: [firefoxPath],
    packages: 'firefox-esr',
  },
  {
    name: 'webkit',
    open: webkitEngine,
    needs: [webkitPath, screenPath],
    packages: 'webkit2gtk-driver xvfb',
  },
] as const

/** A browser for walks; `missing` says what to install where it is not there. */
interface Walker {
  name: EngineName
  open: () => Engine
  missing?: string
}

/** Firefox and WebKit: all other walks use Chromium. */
export const otherEngines: Walker[] = others.map(({ name, open, needs, packages }) => ({
  name,
  open,
  ...(needs.every((path) => existsSync(path))
    ? {}
    : { missing: `Not walked in ${name}: apt-get install ${packages}` }),
}))

export const allEngines: Walker[] = [{ name: 'chromium', open: chromiumEngine }, ...otherEngines]

/** All of them with WebGL, which Firefox has on a screen only. */
export const enginesWithWebGL: Walker[] = allEngines.map((walker) =>
  walker.name === 'firefox' ? { ...walker, open: () => firefoxEngine({ hasWebGL: true }) } : walker,
)

/**
 * Opens a browser; null, with a message, where it is not installed, and the walk is skipped. In CI (`CI`)
 * nothing may be skipped: there it throws.
 */
export function openEngine({ open, missing }: Walker): Engine | null {
  if (missing === undefined) return open()
  if (process.env.CI) throw new Error(missing)
  console.log(missing)
  return null
}
