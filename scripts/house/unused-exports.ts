import { isTest, type Module } from './modules.ts'

interface UnusedExport {
  path: string
  line: number
  name: string
  /** Where it is used nevertheless: nowhere, only in its own module, or only in tests. */
  usedBy: 'nobody' | 'itself' | 'tests'
}

/**
 * Modules that are used by name from outside: commands, the Worker, screens, page scripts, configuration of
 * tools, tests.
 */
const entries = [
  /\.cli\.ts$/,
  /\.mjs$/,
  /\.config\.ts$/,
  /\.(test|walk)\.tsx?$/,
  /^functions\/worker\.ts$/,
  /^app\/(root|entry\.(client|server))\.tsx$/,
  /^app\/routes\.ts$/,
  /^app\/routes\//,
  /^db\/migrations\//,
  /^scripts\/walks\/setup\.ts$/,
]

/**
 * Finds the exports that no other module imports, by path and line. A namespace that is passed on whole
 * counts as using all of its module; a re-exported name counts as used when it is imported from there.
 */
export function findUnusedExports(modules: ReadonlyMap<string, Module>): UnusedExport[] {
  const users = collectUsers(modules)
  return [...modules.values()]
    .filter(({ path }) => !entries.some((entry) => entry.test(path)))
    .flatMap(({ path, exports }) =>
      exports.flatMap(({ name, line, isUsedInside }): UnusedExport[] => {
        const by = [
          ...(users.get(toExportKey(path, name)) ?? []),
          ...(users.get(toExportKey(path, '*')) ?? []),
        ]
        if (by.some((user) => isTest(path) || !isTest(user))) return []
        const usedBy = by.length > 0 ? 'tests' : isUsedInside ? 'itself' : 'nobody'
        return [{ path, line, name, usedBy }]
      }),
    )
    .sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line)
}

const toExportKey = (path: string, name: string) => `${path} ${name}`

/** Finds the modules that use each exported name, through any number of re-exports. */
function collectUsers(modules: ReadonlyMap<string, Module>): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const add = (path: string, name: string, user: string) => {
    const key = toExportKey(path, name)
    const userFiles = users.get(key) ?? new Set<string>()
    if (userFiles.has(user)) return
    users.set(key, userFiles.add(user))
    for (const { name: outer, from, original } of modules.get(path)?.reexports ?? [])
      if (outer === name || outer === '*') add(from, outer === '*' ? name : original, user)
      else if (name === '*') add(from, original, user)
  }
  for (const { path, imports } of modules.values())
    for (const { from, name, isPackage } of imports) if (!isPackage && name !== '') add(from, name, path)
  return users
}
