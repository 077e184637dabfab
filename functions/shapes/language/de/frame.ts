import type { FrameTexts } from '../frame.ts'

export const frame: FrameTexts = {
  nearest: 'Meinten Sie eine dieser Seiten?',
  searchInstead: 'Stattdessen dieses Portal durchsuchen',
  unknownHost: {
    title: 'Unter dieser Adresse gibt es kein Portal',
    text: 'Sie haben {host} aufgerufen. Dort hat keine Organisation ein Portal.',
    advice:
      'Vielleicht ist die Adresse falsch geschrieben, oder die Organisation ist umgezogen oder hat ihr Portal geschlossen.',
  },
  closedHost: {
    title: 'Dieses Portal wurde geschlossen',
    text: 'Die Organisation hinter {host} hat ihr Portal und alles darin geschlossen.',
    advice:
      'Fragen Sie die Organisation selbst nach ihren Daten. Wenn Sie sie verwalten, melden Sie sich im Arbeitsbereich an, um sie rechtzeitig wieder zu öffnen.',
  },
  openSearch: 'Die offenen Daten von {name} durchsuchen',
  footer: {
    contact: 'Kontakt',
    licences: 'Lizenzen',
    feeds: 'Feeds und Kataloge',
    api: 'Programmierschnittstelle',
  },
  byTopic: 'Daten nach Thema',
  publisher: 'Herausgeber',
  licences: {
    text: 'Jeder Indikator nennt seine eigene Lizenz. Diese werden verwendet:',
    none: { one: '{n} Indikator nennt keine Lizenz.', other: '{n} Indikatoren nennen keine Lizenz.' },
    empty: 'Noch nennt kein Indikator eine Lizenz.',
  },
  feeds: {
    text: 'Für Feedreader und für Programme, die offene Daten sammeln:',
    changes: 'Geänderte Daten',
    stories: 'Neue Geschichten',
    catalogues: 'Katalog',
  },
  noContact: 'Die Organisation hat keinen Kontakt angegeben.',
  accessibility: {
    title: 'Barrierefreiheit',
    intro:
      'Was automatische Prüfungen auf Seiten von Portalen wie dem von {name} gefunden haben. Das ist ein Prüfergebnis und keine Zusage, dass jede Seite einen Standard erfüllt.',
    results: 'Letzte automatische Ergebnisse',
    method:
      'Ein Programm öffnet die Seiten in einem Browser und prüft sie. Es sind die Seiten eines Beispielportals, das dieselbe Software erzeugt hat; Texte und Bilder dieses Portals sind seine eigenen.',
    date: 'Datum der Prüfung',
    tool: 'Geprüft mit',
    rules: 'Regeln',
    pages: 'Arten von Seiten',
    languages: 'Sprachen',
    themes: 'Darstellungen',
    light: 'hell',
    dark: 'dunkel',
    widths: 'Breiten in Pixeln',
    checks: 'Geprüfte Seiten',
    found: 'Gefunden',
    faults: { one: '{n} Fehler', other: '{n} Fehler' },
    noFaults: 'Es wurde kein Fehler gefunden.',
    noResult: 'Für diese Version liegt kein Ergebnis vor.',
    limits:
      'Ein Programm sieht nur einen Teil dessen, was falsch sein kann: Ob ein Text verständlich ist oder eine Beschreibung zu ihrem Bild passt, kann es nicht beurteilen.',
    report: 'Funktioniert etwas für Sie nicht? Bitte sagen Sie es uns:',
    noContact: 'Die Organisation hat dafür keinen Kontakt angegeben.',
  },
  privacy: {
    title: 'Datenschutz',
    ofPlace: 'Was {name} dazu sagt',
    ofHub: 'Was dieses Portal tut',
    facts: [
      'Es setzt keine Cookies und zeigt keine Werbung. Die gewählte Darstellung und die Seitenleiste bleiben in Ihrem Browser.',
      'Es zählt, wie oft Seiten gelesen werden, wie schnell sie waren, von welchen Websites und aus welchen Ländern Leserinnen und Leser kamen und mit welcher Art von Gerät. Jedes davon wird für sich addiert; niemand wird wiedererkannt, weder auf der nächsten Seite noch am nächsten Tag.',
      'Browser, die „Do Not Track“ oder „Global Privacy Control“ senden, werden nicht gezählt.',
      'Suchen ohne Ergebnis werden als Wörter aufbewahrt, wenn sie an einem Tag dreimal vorkamen, ohne dass festgehalten wird, wer gesucht hat.',
    ],
  },
}
