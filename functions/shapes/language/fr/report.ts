import type { ReportTexts } from '../report.ts'

export const report: ReportTexts = {
  title: (source) => `Signaler une erreur dans «\u00a0${source}\u00a0»`,
  intro:
    'Votre signalement est transmis aux personnes qui gèrent ces données. Aucun compte n’est nécessaire.',
  aboutRecord: (id) => `Votre signalement concerne l’enregistrement ${id}.`,
  aboutFigure: (title) => `Votre signalement concerne la figure «\u00a0${title}\u00a0».`,
  text: 'Qu’est-ce qui est faux\u00a0?',
  textHint:
    'Quelle valeur est en cause, et laquelle serait juste\u00a0? Texte simple, 4\u202f000 caractères au plus.',
  email: 'Adresse e-mail pour une réponse (facultative)',
  emailHint: 'Laissez ce champ vide si vous ne souhaitez pas de réponse.',
  keptTitle: 'Ce que devient votre signalement',
  kept: (days) => [
    'Les personnes qui gèrent les données de cette organisation le lisent, dans un e-mail et dans leur espace de travail. Il n’est pas publié.',
    `Il est supprimé après ${days} jours, avec votre adresse e-mail.`,
    'Votre adresse réseau n’est pas enregistrée avec lui. Les signalements d’un même réseau sont comptés par un nombre dont personne ne peut déduire l’adresse, et qui change chaque jour.',
  ],
  send: 'Envoyer le signalement',
  empty: 'Laissez ce champ vide',
  done: 'Merci. Votre signalement est arrivé',
  doneText:
    'Les personnes qui gèrent ces données en sont informées dans l’heure environ, et décident de la suite.',
  doneAnswer: 'Si elles ont une question ou une réponse, elles écrivent à l’adresse que vous avez donnée.',
  back: 'Retour aux données',
  again: 'Signaler autre chose',
  refused: 'Votre signalement n’a pas été envoyé',
  problems: {
    required: 'Veuillez dire ce qui est faux.',
    long: (n, most) =>
      `Ce texte a ${n} caractères\u00a0; ${most} au plus sont acceptés. Veuillez le raccourcir.`,
    email: 'Ce n’est pas une adresse e-mail. Veuillez la corriger ou laisser le champ vide.',
    expired:
      'Cette page était ouverte depuis plus d’un jour. Veuillez renvoyer votre signalement\u00a0; votre texte est toujours là.',
    quick:
      'L’envoi a été plus rapide que toute lecture. Veuillez renvoyer votre signalement\u00a0; votre texte est toujours là.',
    foreign: 'L’envoi venait de la page d’un autre site. Veuillez envoyer votre signalement d’ici.',
    noForm: 'Ce qui a été envoyé n’est pas ce formulaire. Veuillez le remplir ici.',
    large:
      'Ce qui a été envoyé est trop volumineux pour être lu. Veuillez revenir en arrière\u00a0: votre navigateur a peut-être encore votre texte.',
    tooMany: {
      one: 'Trop de signalements sont arrivés. Veuillez réessayer dans une minute\u00a0; votre texte est toujours là.',
      other:
        'Trop de signalements sont arrivés. Veuillez réessayer dans {n} minutes\u00a0; votre texte est toujours là.',
    },
    unavailable:
      'Votre signalement ne peut pas être enregistré pour le moment. Veuillez réessayer dans une minute\u00a0; votre texte est toujours là.',
    gone: 'Ces données ne sont plus publiques\u00a0: les signalements à leur sujet ne sont plus acceptés.',
  },
  privacy: (days) =>
    `Le signalement d’une erreur est transmis aux personnes qui gèrent les données et supprimé après ${days} jours, avec l’adresse e-mail si vous en avez donné une. Votre adresse réseau n’est pas enregistrée\u00a0; un nombre qui en est tiré, différent chaque jour, compte les signalements d’un même réseau.`,
}
