import type { OracleLanguage } from '../oracle-language.ts'

export const french: OracleLanguage = {
  claims: {
    rise: /(hausse|augment|progress|mont[ée])/i,
    fall: /(baisse|diminu|chut|recul)/i,
    same: /\b(comme|même|inchangé)/i,
    nearly: /à peu près comme/i,
    partial: /(partiel|incompl)/i,
    nothing: /pas encore de données/i,
    most: /plus élevées? sur/i,
    least: /plus basses? sur/i,
    peak: /maximum de/i,
    low: /minimum de/i,
  },
  counts: {
    after: /^ (cas|lignes?|points?|zones?|parts?|valeurs?)(?!\p{L})|^ sur (environ )?\d/iu,
    before: /(?<!\p{L})sur (environ )?$/iu,
    othersAfter: /^ autres(?!\p{L})/iu,
  },
  quarter: (n) => [`T${n}`],
  decade: (year) => [`années ${year}`],
  without: (name) => [`sans ${name}`],
  directions: [['hausse', 'baisse']],
  extremes: [
    ['élevées sur', 'basses sur'],
    ['élevée sur', 'basse sur'],
  ],
  turningPoints: ['un maximum de', 'un minimum de'],
  othersTogether: /\d+ autres? totalisent .+\.$/,
}
