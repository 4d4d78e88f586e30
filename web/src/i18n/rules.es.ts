import type { MinuteRules, Rules } from "./rules";

const duel = [
  {
    title: "Cómo se gana",
    lines: [
      "Al final de tu turno ganas con 20 puntos de Prestigio en total,",
      "o con 10 Coronas,",
      "o con 10 puntos de Prestigio en cartas de un solo color (un comodín cuenta en el color que tomó).",
    ],
  },
  {
    title: "Tu turno: primero, si quieres",
    lines: [
      "Usa Privilegios: devuelve uno por cada ficha que tomes del tablero, menos Oro.",
      "Después puedes reponer el tablero: todas las fichas de la bolsa van a las casillas vacías, y el rival " +
        "toma un Privilegio.",
    ],
  },
  {
    title: "Después, una de estas acciones",
    lines: [
      "Tomar fichas: 1, 2 o 3 vecinas en fila, columna o diagonal, sin huecos y sin Oro. Tres de un color, o las " +
        "dos Perlas, dan un Privilegio al rival.",
      "Tomar un Oro y reservar una carta: una visible, o la primera de un mazo, que solo tú ves. Puedes tener 3 " +
        "cartas reservadas.",
      "Comprar una carta de Joya, visible o reservada. Cada bonificación quita una ficha de su color. El Oro " +
        "sustituye a cualquier ficha. Lo que pagas va a la bolsa.",
      "Si nada de esto es posible, primero debes reponer el tablero.",
    ],
  },
  {
    title: "El final de tu turno",
    lines: [
      "Con la tercera y la sexta Corona eliges una carta de la Realeza, con sus puntos y su capacidad.",
      "Si tienes más de 10 fichas, devuelves a la bolsa las que sobran.",
      "Se llenan los huecos de la pirámide.",
    ],
  },
  {
    title: "Los Privilegios",
    lines: ["Hay tres. Si no queda ninguno en la mesa, se lo quitas al rival. El segundo jugador empieza con uno."],
  },
];

export const rules: Rules = {
  duel,
  "duel+counterfeiters": [
    {
      title: "Lo que añaden Los Falsificadores",
      lines: [
        "Cuatro fichas de Cristal. Se toman como Gemas y Perlas; el Oro las sustituye. Tres en una línea dan un " +
          "Privilegio al rival.",
        "Una fila de tres cartas de Falsificador. Comprar una es una acción como comprar una carta de Joya; tus " +
          "bonificaciones rebajan su coste en Gemas. No se pueden reservar.",
        "Un Falsificador actúa desde que es tuyo, cada uno una vez por turno.",
        "Los descuentos se usan al pagar: Cristal en lugar de más Gemas.",
        "Tras tu acción viene un momento en que puedes usar los Falsificadores que cuestan Cristal.",
        "Doce cartas de la Realeza, cuatro de ellas visibles, con nuevas capacidades.",
        "Reponer necesita una casilla vacía. Lo que no encuentra casilla se queda en la bolsa.",
      ],
    },
    ...duel,
  ],
  splendor: [
    {
      title: "Cómo se gana",
      lines: [
        "Cuando alguien tiene 15 puntos de Prestigio se acaba la ronda, para que todos jueguen los mismos turnos.",
        "Gana quien tenga más puntos; después, quien tenga menos cartas.",
      ],
    },
    {
      title: "Tu turno es una de estas acciones",
      lines: [
        "Tomar tres gemas de colores distintos.",
        "Tomar dos gemas de un color, si hay al menos cuatro en el banco.",
        "Reservar una carta de Desarrollo, visible o la primera de un mazo, y tomar un Oro si lo hay. Puedes " +
          "tener 3 cartas reservadas.",
        "Comprar una carta, visible o reservada. Cada bonificación quita una gema de su color; el Oro sustituye " +
          "a cualquier gema.",
      ],
    },
    {
      title: "El final de tu turno",
      lines: [
        "Si tienes más de 10 fichas, devuelves las que sobran.",
        "Un noble cuyos deseos cumplen tus bonificaciones te visita: 3 puntos. Uno por turno.",
      ],
    },
  ],
};

const duelMinute = [
  "Sé el primero en tener 20 puntos de Prestigio, o 10 Coronas, o 10 puntos de un color.",
  "En tu turno, toma hasta tres fichas vecinas en línea …",
  "… o compra una carta. Su gema es una bonificación: desde ahora pagas una ficha menos de ese color.",
  "… o toma un Oro, que sustituye a cualquier ficha, y reserva una carta para después.",
  "Tres Coronas traen una carta de la Realeza, un Privilegio toma una ficha a elegir, y guardas 10 " +
    "fichas como mucho.",
];

export const minute: MinuteRules = {
  duel: duelMinute,
  "duel+counterfeiters": [
    ...duelMinute,
    "El Cristal es una ficha nueva. Las cartas de Falsificador lo cuestan y dan trucos: descuentos, " +
      "turnos extra, mirar un mazo.",
  ],
  splendor: [
    "Reúne puntos de Prestigio. Cuando alguien tiene 15, se acaba la ronda y gana quien tenga más.",
    "En tu turno, toma tres gemas de colores distintos, o dos de un color …",
    "… o compra una carta. Su gema es una bonificación: desde ahora pagas una gema menos de ese color.",
    "… o reserva una carta para después y toma un Oro, que sustituye a cualquier gema.",
    "Los nobles vienen solos a quien tiene las bonificaciones que desean: 3 puntos cada uno.",
  ],
};
