"""Bots against bots: tournaments, how sure their results are, ratings, reports.

Each pair of bots plays *sets*: one deal, played once with the first bot at each seat. A game
depends on its plan and its place in it alone, so it does not matter which process or machine plays
it, or whether the tournament was interrupted in between.

    plan        which games are to be played, and from which chance
    game        one of them, played
    processes   many of them, in processes of this machine
    cluster     the same on the machines of a Ray cluster
    store       the folder that keeps them
    standings   what they say about each pair
    confidence  how sure that is
    ratings     one number for each bot
    tournament  all of it, in its order
    report      what is shown: tables and JSON; page and charts: a web page
"""
