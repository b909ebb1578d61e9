"""A sample bot for CodinGame's Oware Abapa: it sows the last pit that reaches the other side, or else the last with seeds."""

while True:
    try:
        board = [int(word) for word in input().split()]
    except EOFError:
        break
    feeding = [pit for pit in range(6) if board[pit] > 5 - pit]
    print((feeding or [pit for pit in range(6) if board[pit]])[-1], flush=True)
