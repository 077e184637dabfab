import type { FrameTexts } from '../frame.ts'

export const frame: FrameTexts = {
  nearest: 'Cherchiez-vous l’une de ces pages\u00a0?',
  searchInstead: 'Chercher sur ce portail',
  unknownHost: {
    title: 'Il n’y a pas de portail à cette adresse',
    text: 'Vous avez demandé {host}. Aucune organisation n’y a de portail.',
    advice: 'L’adresse est peut-être mal écrite, ou l’organisation a déplacé ou fermé son portail.',
  },
  closedHost: {
    title: 'Ce portail a été fermé',
    text: 'L’organisation de {host} a fermé son portail et tout ce qu’il contenait.',
    advice:
      'Demandez les données à l’organisation elle-même. Si vous l’administrez, connectez-vous à l’espace de travail pour la rouvrir à temps.',
  },
  openSearch: 'Chercher dans les données ouvertes\u00a0: {name}',
  footer: { contact: 'Contact', licences: 'Licences', feeds: 'Flux et catalogues', api: 'API' },
  byTopic: 'Les données par thème',
  publisher: 'Organisme qui publie',
  licences: {
    text: 'Chaque indicateur précise sa propre licence. Celles-ci sont utilisées\u00a0:',
    none: {
      one: '{n} indicateur ne précise aucune licence.',
      many: '{n} d’indicateurs ne précisent aucune licence.',
      other: '{n} indicateurs ne précisent aucune licence.',
    },
    empty: 'Aucun indicateur ne précise encore de licence.',
  },
  feeds: {
    text: 'Pour les lecteurs de flux et les programmes qui collectent des données ouvertes\u00a0:',
    changes: 'Données modifiées',
    stories: 'Nouveaux récits',
    catalogues: 'Catalogue',
  },
  noContact: 'L’organisation n’a indiqué aucun contact.',
  accessibility: {
    title: 'Accessibilité',
    intro:
      'Ce que des tests automatiques ont trouvé sur les pages de portails comme celui-ci ({name}). C’est le résultat d’un test\u00a0; il n’affirme pas que toutes les pages respectent une norme.',
    results: 'Derniers résultats automatiques',
    method:
      'Les pages sont ouvertes dans un navigateur et vérifiées par un programme. Ce sont celles d’un portail d’essai fait avec le même logiciel\u00a0; les textes et les images de ce portail lui sont propres.',
    date: 'Date du test',
    tool: 'Testé avec',
    rules: 'Règles',
    pages: 'Types de pages',
    languages: 'Langues',
    themes: 'Thèmes',
    light: 'clair',
    dark: 'sombre',
    widths: 'Largeurs en pixels',
    checks: 'Pages vérifiées',
    found: 'Résultat',
    faults: { one: '{n} défaut', many: '{n} de défauts', other: '{n} défauts' },
    noFaults: 'Aucun défaut n’a été trouvé.',
    noResult: 'Aucun résultat n’est enregistré pour cette version.',
    limits:
      'Un programme ne voit qu’une partie de ce qui peut poser problème\u00a0: il ne peut juger ni de la clarté d’un texte, ni de la justesse de la description d’une image.',
    report: 'Quelque chose ne fonctionne pas pour vous\u00a0? Dites-le-nous\u00a0:',
    noContact: 'L’organisation n’a indiqué aucun contact à ce sujet.',
  },
  privacy: {
    title: 'Vie privée',
    ofPlace: 'Ce qu’indique l’organisation\u00a0: {name}',
    ofHub: 'Ce que fait ce portail',
    facts: [
      'Il ne dépose aucun cookie et n’affiche aucune publicité. Le thème et la barre latérale que vous choisissez restent dans votre navigateur.',
      'Il compte combien de fois les pages sont lues, à quelle vitesse elles se sont affichées, de quels sites et de quels pays viennent les lecteurs, et le type d’appareil. Chaque donnée est additionnée à part\u00a0; personne n’est reconnu, ni à la page suivante ni le lendemain.',
      'Les navigateurs qui envoient «\u00a0Do Not Track\u00a0» ou «\u00a0Global Privacy Control\u00a0» ne sont pas comptés.',
      'Les mots des recherches sans résultat sont conservés s’ils reviennent trois fois dans une journée, sans savoir qui a cherché.',
    ],
  },
}
