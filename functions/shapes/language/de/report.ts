import type { ReportTexts } from '../report.ts'

export const report: ReportTexts = {
  title: (source) => `Einen Fehler in „${source}“ melden`,
  intro: 'Ihre Meldung geht an die Menschen, die diese Daten pflegen. Sie brauchen kein Konto.',
  aboutRecord: (id) => `Ihre Meldung betrifft den Eintrag ${id}.`,
  aboutFigure: (title) => `Ihre Meldung betrifft die Abbildung „${title}“.`,
  text: 'Was ist falsch?',
  textHint: 'Welcher Wert ist es, und was wäre richtig? Nur Text, höchstens 4.000 Zeichen.',
  email: 'E-Mail-Adresse für eine Antwort (freiwillig)',
  emailHint: 'Lassen Sie das Feld leer, wenn Sie keine Antwort möchten.',
  keptTitle: 'Was mit Ihrer Meldung geschieht',
  kept: (days) => [
    'Wer die Daten dieser Organisation pflegt, liest sie in einer E-Mail und im eigenen Arbeitsbereich. Sie wird nicht veröffentlicht.',
    `Nach ${days} Tagen wird sie gelöscht, mit Ihrer E-Mail-Adresse.`,
    'Ihre Netzwerkadresse wird nicht mit ihr gespeichert. Meldungen aus einem Netz werden mit einer Zahl gezählt, aus der niemand die Adresse zurückgewinnen kann und die jeden Tag eine andere ist.',
  ],
  send: 'Meldung senden',
  empty: 'Dieses Feld leer lassen',
  done: 'Danke. Ihre Meldung ist angekommen',
  doneText:
    'Wer diese Daten pflegt, erfährt etwa innerhalb einer Stunde davon und entscheidet, was zu tun ist.',
  doneAnswer: 'Gibt es eine Frage oder eine Antwort, kommt sie an die Adresse, die Sie angegeben haben.',
  back: 'Zurück zu den Daten',
  again: 'Noch etwas melden',
  refused: 'Ihre Meldung wurde nicht gesendet',
  problems: {
    required: 'Bitte schreiben Sie, was falsch ist.',
    long: (n, most) => `Das sind ${n} Zeichen; höchstens ${most} sind möglich. Bitte kürzen Sie den Text.`,
    email: 'Das ist keine E-Mail-Adresse. Bitte berichtigen Sie sie oder lassen Sie das Feld leer.',
    expired:
      'Diese Seite war länger als einen Tag offen. Bitte senden Sie die Meldung noch einmal; Ihr Text ist noch da.',
    quick:
      'Das wurde schneller gesendet, als jemand lesen kann. Bitte senden Sie es noch einmal; Ihr Text ist noch da.',
    foreign: 'Das wurde von der Seite einer anderen Website gesendet. Bitte senden Sie es von hier.',
    noForm: 'Was gesendet wurde, ist nicht dieses Formular. Bitte füllen Sie es hier aus.',
    large:
      'Was gesendet wurde, ist zu groß, um gelesen zu werden. Bitte gehen Sie zurück: Ihr Browser hat den Text vielleicht noch.',
    tooMany: {
      one: 'Es sind zu viele Meldungen gekommen. Bitte versuchen Sie es in einer Minute noch einmal; Ihr Text ist noch da.',
      other:
        'Es sind zu viele Meldungen gekommen. Bitte versuchen Sie es in {n} Minuten noch einmal; Ihr Text ist noch da.',
    },
    unavailable:
      'Ihre Meldung kann gerade nicht gespeichert werden. Bitte versuchen Sie es in einer Minute noch einmal; Ihr Text ist noch da.',
    gone: 'Diese Daten sind nicht mehr öffentlich, daher werden keine Meldungen dazu angenommen.',
  },
  privacy: (days) =>
    `Die Meldung eines Fehlers geht an die, die die Daten pflegen, und wird nach ${days} Tagen gelöscht, mit der E-Mail-Adresse, falls Sie eine angegeben haben. Ihre Netzwerkadresse wird nicht gespeichert; eine daraus gebildete Zahl, jeden Tag eine andere, zählt die Meldungen aus einem Netz.`,
}
