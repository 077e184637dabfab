import type { OracleLanguage } from '../oracle-language.ts'

export const german: OracleLanguage = {
  claims: {
    rise: /(Anstieg|gestiegen|zugenommen|Zunahme)/i,
    fall: /(Rückgang|gesunken|gefallen|abgenommen|Abnahme)/i,
    same: /\b(gleich wie|unverändert)\b/i,
    nearly: /fast gleich wie/i,
    partial: /unvollständig/i,
    nothing: /noch keine Daten/i,
    most: /größten? Werte? von/i,
    least: /kleinsten? Werte? von/i,
    peak: /Höchststand von/i,
    low: /Tiefststand von/i,
  },
  counts: {
    after:
      /^ (Fällen|Zeilen?|Punkte?|Flächen?|Teilen|Werten?|größten?|kleinsten?)(?!\p{L})|^ von (etwa )?\d[\d.]*( ?[,:]|\.?$)/iu,
    of: /(?<!\p{L})von (etwa )?$/iu,
    othersAfter: /^ weiteren?(?!\p{L})/iu,
  },
  quarter: (n) => [`Q${n}`],
  decade: (year) => [`${year}er-Jahre`, `${year}er-Jahren`],
  without: (name) => [`ohne ${name}`],
  directions: [['Anstieg', 'Rückgang']],
  extremes: [
    ['größten Werte von', 'kleinsten Werte von'],
    ['größte Wert von', 'kleinste Wert von'],
  ],
  turningPoints: ['einem Höchststand von', 'einem Tiefststand von'],
  othersTogether: /[\d.]+ weitere ergeben zusammen .+\.$/,
}
