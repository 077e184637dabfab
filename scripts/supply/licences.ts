/**
 * Licences allowed for code that is distributed to users: they require no more than a notice, or the
 * publication of changes to their own files.
 */
const shipped: readonly string[] = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MPL-2.0', 'OFL-1.1', 'Unlicense'],
]

/** Licences additionally allowed for tools that build or test and are not distributed. */
const tools: readonly string[] = [
  ...shipped,
  ...[
    'BlueOak-1.0.0',
    'CC-BY-3.0',
    'CC-BY-4.0',
    'CC0-1.0',
    'LGPL-3.0-or-later',
    'PSF-2.0',
    'Python-2.0',
    'Zlib',
  ],
]

/** Packages whose metadata states no licence in npm's form; read from their own files, for this version. */
export const statedLicences: Readonly<Record<string, string>> = {
  'eval@0.1.8': 'MIT',
  'format@0.2.2': 'MIT',
  'parse-cache-control@1.0.1': 'BSD-3-Clause',
  'react-vega@8.0.0': 'BSD-3-Clause',
  'require-like@0.1.2': 'MIT',
  'zod-to-ts@1.2.0': 'MIT',
}

/**
 * Returns whether a licence, as an SPDX expression, is allowed: with OR one alternative must be, with AND all
 * parts. An expression with both is rejected, because brackets are not parsed here.
 */
export function isLicenceFine(expression: string, isShipped: boolean): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1')
  if (/[()]/.test(plain) || (plain.includes(' AND ') && plain.includes(' OR '))) return false
  const permitted = isShipped ? shipped : tools
  return plain.split(' OR ').some((one) => one.split(' AND ').every((part) => permitted.includes(part)))
}
