import type { ReportTexts } from '../report.ts'

export const report: ReportTexts = {
  title: (source) => `Informar de un error en «${source}»`,
  intro: 'Su aviso llega a las personas que cuidan estos datos. No necesita una cuenta.',
  aboutRecord: (id) => `Su aviso se refiere al registro ${id}.`,
  aboutFigure: (title) => `Su aviso se refiere a la figura «${title}».`,
  text: '¿Qué está mal?',
  textHint: '¿Qué valor es y cuál sería el correcto? Solo texto, 4000 caracteres como máximo.',
  email: 'Correo electrónico para una respuesta (opcional)',
  emailHint: 'Déjelo vacío si no desea respuesta.',
  keptTitle: 'Qué se hace con su aviso',
  kept: (days) => [
    'Lo leen quienes cuidan los datos de esta organización, en un correo y en su espacio de trabajo. No se publica.',
    `Se borra a los ${days} días, junto con su correo electrónico.`,
    'Su dirección de red no se guarda con él. Los avisos de una red se cuentan con un número del que nadie puede deducir la dirección y que cambia cada día.',
  ],
  send: 'Enviar el aviso',
  empty: 'Deje este campo vacío',
  done: 'Gracias. Su aviso ha llegado',
  doneText: 'Quienes cuidan estos datos lo sabrán en una hora aproximadamente y decidirán qué hacer.',
  doneAnswer: 'Si tienen una pregunta o una respuesta, escribirán a la dirección que ha indicado.',
  back: 'Volver a los datos',
  again: 'Informar de otra cosa',
  refused: 'Su aviso no se ha enviado',
  problems: {
    required: 'Escriba qué está mal.',
    long: (n, most) => `Tiene ${n} caracteres y se admiten ${most} como máximo. Acórtelo, por favor.`,
    email: 'No es una dirección de correo electrónico. Corríjala o deje el campo vacío.',
    expired: 'Esta página llevaba abierta más de un día. Envíe su aviso otra vez; su texto sigue aquí.',
    quick: 'Se envió más rápido de lo que nadie puede leer. Envíelo otra vez; su texto sigue aquí.',
    foreign: 'Se envió desde la página de otro sitio. Envíelo desde aquí.',
    noForm: 'Lo que se envió no es este formulario. Rellénelo aquí, por favor.',
    large:
      'Lo que se envió es demasiado grande para leerlo. Vuelva atrás: quizá su navegador conserve el texto.',
    tooMany: {
      one: 'Han llegado demasiados avisos. Inténtelo de nuevo dentro de un minuto; su texto sigue aquí.',
      other: 'Han llegado demasiados avisos. Inténtelo de nuevo dentro de {n} minutos; su texto sigue aquí.',
    },
    unavailable:
      'Su aviso no se puede guardar en este momento. Inténtelo de nuevo dentro de un minuto; su texto sigue aquí.',
    gone: 'Estos datos ya no son públicos y no se admiten avisos sobre ellos.',
  },
  privacy: (days) =>
    `El aviso de un error llega a quienes cuidan los datos y se borra a los ${days} días, con el correo electrónico si lo indicó. Su dirección de red no se guarda; un número obtenido de ella, distinto cada día, cuenta los avisos de una misma red.`,
}
