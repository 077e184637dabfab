import { operationNames } from './operations.ts'
import { builtInRoles, rolesFor, table } from './roles.ts'

const words = ['anyone', 'signedIn', 'self', 'sourceKey'] as const

/**
 * Prints the permission table as text: one operation per line with those who may do it, so that a change of
 * permissions is a changed line.
 */
export function printTable(): string {
  const roles = Object.keys(builtInRoles)
  const columns = [...words, ...roles]
  const width = Math.max(...operationNames.map((name) => name.length))
  const head = `${'operation'.padEnd(width)}  ${columns.join('  ')}`
  const lines = operationNames.map((operation) => {
    const granted: readonly string[] = [...table[operation], ...rolesFor(operation)]
    const open = granted.includes('anyone')
    const signedIn = granted.includes('signedIn')
    const cells = columns.map((column) => {
      const isRole = column in builtInRoles
      const may = open || granted.includes(column) || (signedIn && isRole)
      return (may ? 'x' : '.').padEnd(column.length)
    })
    return `${operation.padEnd(width)}  ${cells.join('  ')}`.trimEnd()
  })
  return [head, ...lines, ''].join('\n')
}
