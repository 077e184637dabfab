import type { OracleLanguage } from '../oracle-language.ts'

export const english: OracleLanguage = {
  claims: {
    rise: /\b(rose|grew|increased|climbed|went up|up from)\b/i,
    fall: /\b(fell|dropped|decreased|declined|went down|down from)\b/i,
    same: /\b(same)\b/i,
    nearly: /\babout the same\b/i,
    partial: /\b(partial|so far|incomplete)/i,
    nothing: /\bno data\b/i,
    most: /\blargest of\b/i,
    least: /\bsmallest of\b/i,
    peak: /peak of/i,
    low: /low of/i,
  },
  counts: {
    after: /^ (cases|rows?|points?|areas?|parts?|values?|largest|smallest)\b|^ of (about )?\d/i,
    of: /\bof (about )?$/i,
    othersAfter: /^ others\b/i,
  },
  quarter: (n) => [`Q${n}`],
  decade: (year) => [`${year}s`],
  without: (name) => [`without ${name}`, `no ${name}`, `what has no ${name}`],
  directions: [['rose', 'fell']],
  extremes: [['largest of', 'smallest of']],
  turningPoints: ['a peak of', 'a low of'],
  othersTogether: /[\d,]+ others? come to \S+ together\.$/,
}
