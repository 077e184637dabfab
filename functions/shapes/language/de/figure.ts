import type { FigureTexts } from '../figure.ts'

export const figure: FigureTexts = {
  tools: 'Wählen, was diese Abbildung zeigt',
  from: 'Von',
  to: 'Bis',
  seriesCount: (part, all) => `Reihen: ${part} von ${all}`,
  all: 'Alle',
  highlight: 'Hervorheben',
  none: 'Keine',
  showAll: 'Wieder alles zeigen',
  keys: 'Mit den Pfeiltasten geht es von Wert zu Wert.',
  range: (from, to) => `Zu sehen: ${from} bis ${to}.`,
  only: (names) => `Nur: ${names}.`,
  moment: (time) => `Die Karte zeigt: ${time}.`,
  notShown: 'Nicht gezeigt oder ohne Wert',
  isPart: 'Bild, Tabelle und Dateien haben diesen Teil; der Text gilt für die ganze Antwort.',
  unknown: (keys) =>
    `Was die Adresse verlangt (${keys}), gibt es in diesen Daten nicht. Es wurde ausgelassen.`,
  noFigure:
    'Die Abbildung, die die Adresse nennt, gibt es auf dieser Seite nicht (mehr). Sie wird ganz gezeigt.',
  rows: (part, all) => `${part} von ${all} Zeilen.`,
  csv: (rows) => `CSV herunterladen (Zeilen: ${rows})`,
  svg: 'SVG herunterladen',
  png: 'PNG herunterladen',
  notMade: 'Die Datei konnte nicht erstellt werden. Versuchen Sie es noch einmal.',
  share: 'Teilen und zitieren',
  link: 'Link zu dieser Ansicht',
  embed: 'Code für die eigene Website',
  cite: 'So wird zitiert',
  citation: (what, address, date) => `${what} ${address} (abgerufen am ${date}).`,
  copy: 'Kopieren',
  copied: 'Kopiert',
}
