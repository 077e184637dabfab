import type { OracleLanguage } from '../oracle-language.ts'

export const spanish: OracleLanguage = {
  claims: {
    rise: /(aument|subi|creci|increment|alza)/i,
    fall: /(descen|baj[óoa]|ca[yíi]|disminu|reduc)/i,
    same: /\b(igual|mism[oa])\b/i,
    nearly: /casi igual/i,
    partial: /(parcial|incomplet)/i,
    nothing: /no hay datos/i,
    most: /\bmayor(es)? de\b/i,
    least: /\bmenor(es)? de\b/i,
    peak: /máximo de/i,
    low: /mínimo de/i,
  },
  counts: {
    after: /^ (casos|filas?|puntos?|zonas?|partes?|valores)(?!\p{L})|^ de (unos )?\d+( ?[,.:]|$)/iu,
    of: /(?<!\p{L})de (unos )?$/iu,
    othersBefore: /(?<!\p{L})otr[oa]s $/iu,
  },
  quarter: (n) => [`T${n}`],
  decade: (year) => [`década de ${year}`],
  without: (name) => [`sin ${name}`],
  directions: [['aumento', 'descenso']],
  extremes: [
    ['mayores de', 'menores de'],
    ['mayor de', 'menor de'],
  ],
  turningPoints: ['un máximo de', 'un mínimo de'],
  othersTogether: /Otros? \d+ suman .+ en conjunto\.$/,
}
