import type { MapTexts } from '../map.ts'

export const map: MapTexts = {
  records: { one: '{n} Eintrag', other: '{n} Einträge' },
  points: { one: '{n} Punkt', other: '{n} Punkte' },
  circles: { one: '{n} Kreis', other: '{n} Kreisen' },
  single: (records) => `${records} auf der Karte.`,
  gathered: (records, circles) => `${records} in ${circles}.`,
  manyShapes:
    'Linien und Flächen sind zu viele oder zu detailliert, um einzeln gezeichnet zu werden: Kreise stehen für sie.',
  unplaced: { one: '{n} Eintrag hat keinen Ort.', other: '{n} Einträge haben keinen Ort.' },
  outside: {
    one: '{n} Eintrag liegt außerhalb dieses Bildes.',
    other: '{n} Einträge liegen außerhalb dieses Bildes.',
  },
  unshown: {
    one: '{n} Eintrag ist nicht in diesem Bild: Er hat keinen Ort oder liegt außerhalb.',
    other: '{n} Einträge sind nicht in diesem Bild: Sie haben keinen Ort oder liegen außerhalb.',
  },
  unmatched: ({ n, total, set, names, more, writeCount }) =>
    `${writeCount(n)} von ${writeCount(total)} ${total === 1 ? 'Wert' : 'Werten'} ${n === 1 ? 'passt' : 'passen'} zu ` +
    `${{ state: 'keinem Bundesstaat', county: 'keinem Landkreis', country: 'keinem Land', region: 'keiner Region' }[set]}: ` +
    `${names}${more > 0 ? ` und ${writeCount(more)} weitere` : ''}.`,
  nameless: (set, amount) =>
    `Einträge ohne ${{ state: 'Bundesstaat', county: 'Landkreis', country: 'Land', region: 'Region' }[set]} sind nicht auf der Karte` +
    `${amount && ` (${amount})`}.`,
  located: (set, origin) =>
    `Jeder Eintrag zählt zu der Region, in der sein Punkt liegt, nach den Umrissen von „${set}“${origin && ` (${origin})`}. ` +
    'Wo Umrisse grob sind, können Einträge nahe an einer Grenze zur Nachbarregion zählen.',
  repeated: {
    one: '{n} Region hat mehrere Werte; die Karte zeigt den ersten davon.',
    other: '{n} Regionen haben mehrere Werte; die Karte zeigt von jeder den ersten.',
  },
  unplacedRows: { one: '{n} Zeile hat keinen Ort.', other: '{n} Zeilen haben keinen Ort.' },
  outsidePoints: {
    one: '{n} Punkt liegt außerhalb dieses Bildes.',
    other: '{n} Punkte liegen außerhalb dieses Bildes.',
  },
  hidden: ({ n, names, more, writeCount }) =>
    `${writeCount(n)} ${n === 1 ? 'Region mit einem Wert liegt' : 'Regionen mit einem Wert liegen'} außerhalb dieses Bildes: ` +
    `${names}${more > 0 ? ` und ${writeCount(more)} weitere` : ''}.`,
  blank: {
    borders: 'Die Karte kann nicht gezeichnet werden: Ihre Grenzen fehlen. Die Werte stehen in der Tabelle.',
    names: (set) =>
      `Die Karte wäre leer: Kein Wert nennt ${{ state: 'einen Bundesstaat', county: 'einen Landkreis', country: 'ein Land', region: 'eine Region' }[set]}. ` +
      'Wählen Sie die Spalte, die das tut, oder andere Regionen.',
    numbers:
      'Die Karte wäre leer: Es gibt keine Zahl, nach der sie gefärbt wird. Fügen Sie eine Anzahl oder eine andere Messgröße hinzu.',
    places:
      'Die Karte wäre leer: Keine Zeile hat einen Ort. Wählen Sie eine Spalte mit Punkten oder Länge und Breite.',
  },
  live: (part, total) => `Die interaktive Karte zeigt ${part} von ${total}.`,
  byRegion: { region: 'Region', points: 'Punkte' },
  perArea: (measure, n) => `${measure} pro ${n}km²`,
  perAttribute: (measure, n, of) => `${measure} pro ${n}${of}`,
  undivided: {
    one: '{n} Region hat nichts, wodurch ihr Wert geteilt werden könnte: Sie steht als „keine Daten“.',
    other:
      '{n} Regionen haben nichts, wodurch ihre Werte geteilt werden könnten: Sie stehen als „keine Daten“.',
  },
  scale: {
    middle: (length) => `${length} in der Mitte`,
    areasOnly: 'Flächen sind maßstäblich, Entfernungen nicht.',
  },
  areas: 'Die Flächen sind die der vereinfachten Grenzen der Karte.',
  farParts: {
    alaska: 'Alaska',
    hawaii: 'Hawaii',
    puertoRico: 'Puerto Rico',
    marianas: 'Guam und Nördliche Marianen',
    samoa: 'Amerikanisch-Samoa',
  },
  comma: ', ',
}
